import type { HomeOverview } from "./read-home.ts";

interface SetupStep {
  /** The fact that says that the step is done: nobody has to tick anything. */
  isDone: Exclude<keyof HomeOverview["setup"], "isDismissed">;
  title: string;
  text: string;
  action: { content: string; url: string };
}

export const SETUP_STEPS: readonly SetupStep[] = [
  {
    isDone: "isConnected",
    title: "Connect to the referral service",
    text: "Copy the client ID and client secret of an API key, and let Pathway test them.",
    action: { content: "Connect", url: "/app/settings/connection" },
  },
  {
    isDone: "hasMapping",
    title: "Map your products",
    text: "Say which tests each product orders from the laboratory.",
    action: { content: "Map products", url: "/app/mappings" },
  },
  {
    isDone: "hasSimulated",
    title: "Simulate an order",
    text: "In Shopify, under Settings, Checkout, Customize, place the Order tests block on the order status page. Then watch a made-up order walk to its results in staging.",
    action: { content: "Simulate", url: "/app/simulation" },
  },
  {
    isDone: "hasEvents",
    title: "Set up webhooks",
    text: "Enter Pathway’s webhook address in the service. Without it, news takes a few minutes longer.",
    action: { content: "Copy the address", url: "/app/settings/connection" },
  },
  {
    isDone: "isRetentionChosen",
    title: "Choose how long data is kept",
    text: "Patients’ details, forms and results are destroyed after 7 years, unless you choose another time.",
    action: { content: "Choose", url: "/app/settings/privacy" },
  },
  {
    isDone: "isLive",
    title: "Go live",
    text: "Connect production, map your products for it, and send new orders there.",
    action: { content: "Go live", url: "/app/settings/connection#go-live" },
  },
];
