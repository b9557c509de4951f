import { describeBroken } from "../catalogue/broken-words.ts";
import { describeRefusedEvents } from "../kernel/refusal-words.ts";
import { isUnanswered } from "../lifecycle/connection-words.ts";
import type { Environment } from "../shops/connection.ts";
import type { HomeOverview } from "./read-home.ts";

interface SetupStep {
  /** The fact that says that the step is done: nobody has to tick anything. */
  isDone: Exclude<keyof HomeOverview["setup"], "isDismissed">;
  title: string;
  text: string;
  action: { content: string; url: string };
  /** What else helps. */
  also?: { content: string; url: string };
}

const ENTER_ADDRESS =
  "Enter Pathway’s webhook address in the service, and the signing secret that it shows in Pathway. Without events, news takes a few minutes longer.";

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
    text: "Run a simulated order from purchase to results, in staging. With the blocks below in place, you see it as your customers do.",
    action: { content: "Simulate", url: "/app/simulation" },
  },
  {
    isDone: "hasEvents",
    title: "Set up webhooks",
    text: ENTER_ADDRESS,
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

/** The step of connecting: empty unless the service did not answer the last test, whose credentials may well be right. */
export const describeConnectStep = ({
  connection,
}: Pick<HomeOverview, "connection">): Partial<Pick<SetupStep, "text" | "action">> =>
  connection && isUnanswered(connection.lastTestOutcome)
    ? {
        text: "The credentials are saved, and the service didn’t answer the last test. Test it again once it does.",
        action: { content: "Test again", url: "/app/settings/connection" },
      }
    : {};

/** The step of mapping: empty unless something that is on sale is broken. */
export const describeMappingStep = ({
  brokenMappings,
}: Pick<HomeOverview, "brokenMappings">): Partial<Pick<SetupStep, "text" | "action">> =>
  brokenMappings === 0
    ? {}
    : {
        text: `${describeBroken(brokenMappings).title}: the service doesn’t offer the test any more, or refuses the practitioner.`,
        action: describeBroken(brokenMappings).action,
      };

const SIMULATE = { content: "Simulate an order", url: "/app/simulation" };

/**
 * The step that no click completes: what it waits for, and how to make that come. Only a real order makes production
 * send something.
 */
export function describeWebhookStep(state: {
  environment: Environment;
  /** Events are taken without a signature. */
  isUnsigned: boolean;
  refusedEvents: number;
}): Pick<SetupStep, "text" | "also"> {
  const also = state.environment === "staging" ? { also: SIMULATE } : {};
  const refused = describeRefusedEvents(state.refusedEvents);
  if (refused) return { text: `${refused.sentence} ${refused.nextStep}`, ...also };
  if (state.isUnsigned)
    return {
      text: "Events of the service are not signed: nobody knows who sent them. Choose a signature in the connection’s settings. This step is done once a signed event arrives.",
      ...also,
    };
  const comes =
    state.environment === "staging"
      ? "a simulated order makes it come. Pathway’s own test does not count."
      : "it comes with the first order.";
  return {
    text: `${ENTER_ADDRESS} This step waits for the first event of the service: ${comes}`,
    ...also,
  };
}
