import type { ReferralServiceFailure } from "../../platform/errors.ts";

/** Two sentences for a shop owner: what happened, and what to do about it. */
export interface Words {
  sentence: string;
  nextStep: string;
}

/** The question before something costs money or ends something. */
export interface Question {
  title: string;
  /** The subject, and the price or the consequence. */
  text: string;
  /** The deed, on its button. */
  action: string;
  /** The way back; "Cancel" where that cannot be taken for the deed. */
  dismiss?: string;
  isDestructive?: boolean;
}

/** Words for a failure of the service: its own code, or the kind of failure (app/clients/referral-service/failures). */
export type DescribeFailure = (failure: {
  failure?: ReferralServiceFailure | null;
  serviceCode?: string | null;
}) => Words;

/** Colours of a badge (Polaris). */
export type Tone = "info" | "success" | "attention" | "warning" | "critical" | undefined;

/** Made when it is first used: it takes 10 ms of a start. */
let number: Intl.NumberFormat | undefined;

/** "12 orders", "1 order". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  number ??= new Intl.NumberFormat("en-AU");
  return `${number.format(count)} ${count === 1 ? one : many}`;
}

/** "7 years" for 84 months, "18 months", "1 month". */
export const monthsInWords = (months: number): string =>
  months % 12 === 0 ? countOf(months / 12, "year") : countOf(months, "month");
