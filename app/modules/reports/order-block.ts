import type { DescribeFailure } from "../kernel/words.ts";
import type { RequestFacts } from "../referrals/customer-view.ts";
import { stageOf } from "../referrals/standing.ts";
import { numberUnits } from "../referrals/unit-number.ts";
import { describeRequest } from "./request-state-words.ts";

/**
 * An order's tests for the block in the Shopify admin: where each stands, and whether staff have something to do. Names nobody. `reach`:
 * whether somebody can be asked for details (`describeRequest`).
 */
export function describeForBlock(
  all: readonly RequestFacts[],
  describeFailure: DescribeFailure,
  reach: { isReachable?: boolean } = {},
) {
  const numberOf = numberUnits(all.map(({ request }) => request));
  return all.map((facts) => {
    const { id, title, state } = facts.request;
    const { number } = numberOf(facts.request);
    const { name, nextStep } = describeRequest(facts, describeFailure, reach);
    const needsStaff = stageOf(facts) === "attention";
    return { id, title: `${title}, test ${number}`, state, stateText: name, nextStep, needsStaff };
  });
}
