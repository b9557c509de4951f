import type { ShopifyGlobal } from "@shopify/app-bridge-types";
import type { CustomerAccounts } from "../../modules/shops/shop.ts";

type ExtensionInfo = Awaited<ReturnType<ShopifyGlobal["app"]["extensions"]>>[number];

/** A block that the merchant places in one of Shopify's editors. */
export interface BlockPlacement {
  /** Handle of its extension, as extensions/ has it. */
  handle: string;
  title: string;
  text: string;
  /** Path in the admin that opens the editor at the place. */
  editor(apiKey: string): string;
}

/**
 * As Shopify documents it: the editor at a page, with this app's blocks open beside it
 * (https://shopify.dev/docs/apps/build/customer-accounts/editor-extension-collections/editor-extension-collections-ux-guidelines#deep-linking-to-a-collection).
 */
const accountsEditor = (page: string) => (apiKey: string) =>
  `/settings/checkout/editor?page=${page}&context=apps&app=${encodeURIComponent(apiKey)}`;

export const BLOCKS: readonly BlockPlacement[] = [
  {
    handle: "order-tests",
    title: "Order tests",
    text: "On the order status page: buyers give the patient’s details there, and find forms and results.",
    editor: accountsEditor("order-status"),
  },
  {
    handle: "thank-you",
    title: "Next step for tests",
    text: "On the thank-you page: leads buyers of tests to the patient’s details at once.",
    editor: accountsEditor("thank-you"),
  },
  {
    handle: "my-tests",
    title: "My tests",
    text: "All tests of a customer on one page. Add it under Apps, then to the account’s menu.",
    // A page of its own has no address in the editor: the account’s first page is where its menu shows. Its name stands in
    // Shopify’s sample and cannot be learnt: App Bridge tells an extension’s targets, and its toml names no page either.
    editor: accountsEditor("order-list"),
  },
  {
    handle: "product-details",
    title: "Test details",
    text: "On the product page of your theme: what is tested, and when results arrive.",
    editor: (apiKey) =>
      `/themes/current/editor?template=product&addAppBlockId=${encodeURIComponent(apiKey)}/test_details&target=newAppsSection`,
  },
];

/**
 * The blocks that a store can use. With legacy accounts there is no page of the new ones to place a block on, nor one
 * that the thank-you page could lead to: customers find their tests on the proxy page.
 */
export const blocksFor = (accounts: CustomerAccounts): readonly BlockPlacement[] =>
  accounts === "new" ? BLOCKS : BLOCKS.filter(({ handle }) => handle === "product-details");

/** The handles that are placed, from App Bridge's list. A theme's block counts when one of its places is in the published theme. */
export function placedHandles(extensions: readonly ExtensionInfo[]): ReadonlySet<string> {
  return new Set(
    extensions
      .filter(({ activations }) =>
        activations.some((one) => !("status" in one) || one.status === "active"),
      )
      .map(({ handle }) => handle),
  );
}
