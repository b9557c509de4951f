import { countOf } from "../kernel/words.ts";

/** Says how many changes at the service came to Pathway's notice without an event, and that nothing has to be done about them. */
export const describeMissedEvents = (repaired: number): string =>
  repaired === 0
    ? "None was missed."
    : `${countOf(repaired, "change")} came without an event. Pathway found ${repaired === 1 ? "it" : "them"} by itself.`;
