/** Says on home that the store had Pathway under another name, what waits because of it, and where the merchant ends it. */
export const OTHER_NAME = {
  title: "Your store had Pathway under another .myshopify.com name, so orders are held",
  sentences: [
    "Settings, mappings and earlier orders stay under the other name, and customers don’t find those orders in their account here. Links that were emailed work, and forms and results still arrive there.",
    "Tests that were ordered under the other name aren’t ordered again: those orders stand in “Needs attention”. Each test of other orders waits until you release it.",
    "Tell Pathway’s support about the change. Once you have connected and mapped your products here, turn off “Hold every order for review”.",
  ],
  action: { content: "Order settings", url: "/app/settings/orders" },
};

/** Says to staff of a store that took over a known name why they see nothing, and what to do. */
export const OTHER_STORE = {
  title: "Another store used Pathway under this .myshopify.com name, so Pathway is closed here",
  sentence:
    "Pathway keeps that store’s orders and results under this name, and shows none of them. Your orders wait, and nobody is emailed about them.",
  nextStep:
    "Contact Pathway’s support before you do anything else. If the name was always your store’s, wait a minute, then reload the page.",
};
