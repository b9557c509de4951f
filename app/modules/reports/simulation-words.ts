import type { DescribeFailure, Words } from "../kernel/words.ts";
import { describeTestOutcome } from "../lifecycle/connection-words.ts";
import { parseReasonKey } from "../referrals/review-reason.ts";
import { describeStatus } from "../referrals/status-words.ts";
import { describeAttention } from "./attention-words.ts";
import type { SimulationStep } from "./simulation.ts";

/** The name of each step, as one reads down the list. */
export const SIMULATION_STEP_NAMES: Record<SimulationStep, string> = {
  connect: "Sign in to staging and read its catalogue",
  order: "Create a sample order and patient",
  create: "Order the referral",
  form: "Receive the referral form",
  results: "Ask the laboratory for sample results",
  report: "Receive the results and their report",
};

const FAILURES: Record<string, Words> = {
  no_connection: {
    sentence: "There’s no staging connection.",
    nextStep: "Connect staging in the settings, then simulate again.",
  },
  not_mapped: {
    sentence: "The product isn’t mapped to a test in staging any more.",
    nextStep: "Map it for staging, then simulate again.",
  },
  uninstalled: {
    sentence: "Pathway was uninstalled while it ran.",
    nextStep: "Simulate again.",
  },
  taken_back: {
    sentence: "Somebody cancelled the simulation’s order.",
    nextStep: "Simulate again.",
  },
};

const STUCK: Record<SimulationStep, string> = {
  connect: "Staging didn’t answer for ten minutes.",
  order: "The sample order couldn’t be created within ten minutes.",
  create: "The service didn’t say within ten minutes whether it created the referral.",
  form: "The referral form didn’t come within ten minutes.",
  results: "The laboratory sent no sample results within ten minutes.",
  report: "The results or their report didn’t come within ten minutes.",
};

/** Why a simulation ended early, and what to do. */
export function describeSimulationFailure(
  failure: string,
  describeFailure: DescribeFailure,
): Words {
  const listed = FAILURES[failure];
  if (listed) return listed;
  const [kind, ...rest] = failure.split(":");
  const detail = rest.join(":");
  if (kind === "connection")
    return describeTestOutcome(detail, describeFailure) ?? describeFailure({ serviceCode: detail });
  if (kind === "status") {
    const { sentence, nextStep } = describeStatus(detail);
    return { sentence, nextStep };
  }
  if (kind === "stuck")
    return {
      sentence: STUCK[detail as SimulationStep] ?? "Nothing happened for ten minutes.",
      nextStep: "Open the order’s timeline for what was tried, then simulate again.",
    };
  return describeAttention(parseReasonKey(failure), describeFailure);
}

export const NO_EVENTS: Words = {
  sentence: "The service sent no event: Pathway had to look for the news itself.",
  nextStep:
    "Enter Pathway’s webhook address in the service’s staging settings. Until then news takes a few minutes longer.",
};
