import type { StoreDoubt } from "../shops/store-doubt.ts";

interface DoubtWords {
  title: string;
  sentences: string[];
  /** The place where the merchant ends it. */
  action: { content: string; url: string } | undefined;
}

const WORDS: Record<StoreDoubt, DoubtWords> = {
  store_has_other_name: {
    title: "Your store had Pathway under another .myshopify.com name, so orders are held",
    sentences: [
      "Settings, mappings and earlier orders stay under the other name, and customers don’t find those orders in their account here. Links that were emailed work, and forms and results still arrive there.",
      "Tests that were ordered under the other name aren’t ordered again: those orders stand in “Needs attention”. Each test of other orders waits until you release it.",
      "Tell Pathway’s support about the change. Once you have connected and mapped your products here, turn off “Hold every order for review”.",
    ],
    action: { content: "Order settings", url: "/app/settings/orders" },
  },
  domain_of_other_store: {
    title: "Another store used Pathway under this .myshopify.com name, so Pathway is closed here",
    sentences: [
      "Pathway keeps that store’s orders and results under this name, and shows none of them. Your orders wait, and nobody is emailed about them.",
      "Contact Pathway’s support before you do anything else. If the name was always your store’s, wait a minute, then reload the page.",
    ],
    action: undefined,
  },
};

/** Says what is in doubt about whose orders come, what waits because of it, and what to do. */
export const describeStoreDoubt = (doubt: StoreDoubt): DoubtWords => WORDS[doubt];
