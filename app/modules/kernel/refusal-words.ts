import type { MessageRefusal, RefusedMessages } from "./inbox.ts";
import { countOf } from "./words.ts";

const REASONS: Record<MessageRefusal | "unreadable", string> = {
  other_shop: "naming another shop",
  other_store: "of another store with the same name",
  seen_before: "with a body that came under another topic or from another shop",
  no_time: "without a time",
  from_the_future: "dated in the future",
  too_old: "too old",
  not_confirmed: "not confirmed by Shopify",
  unreadable: "not readable",
};

/** Messages in Shopify's name that were not acted on, in words; null when there are none. */
export function describeRefused(
  refused: readonly Pick<RefusedMessages[number], "reason" | "count">[],
) {
  if (refused.length === 0) return null;
  const total = refused.reduce((sum, { count }) => sum + count, 0);
  const isReason = (reason: string): reason is keyof typeof REASONS => reason in REASONS;
  const reasons = refused.map(
    ({ reason, count }) => `${count} ${isReason(reason) ? REASONS[reason] : reason}`,
  );
  return {
    sentence: `${countOf(total, "message")} in Shopify’s name ${total === 1 ? "was" : "were"} refused in the last 24 hours: ${reasons.join(", ")}.`,
    nextStep:
      "Nothing was changed by them. If this goes on, tell whoever runs Pathway: somebody may be sending stolen messages.",
  };
}

/** Events with a signature that is not good, in words; null when there are none. `isOver`: later ones were believed. */
export function describeRefusedEvents(count: number, { isOver = false } = {}) {
  if (count === 0) return null;
  return {
    sentence: `${countOf(count, "event")} arrived with the wrong signature in the last 24 hours, and ${count === 1 ? "was" : "were"} not believed.`,
    nextStep: isOver
      ? "Events that came after them were believed: you don’t have to do anything."
      : "Copy the signing secret from the service’s webhook settings into Pathway’s again, or check that both use the same kind of signature. Until then news takes minutes longer.",
  };
}
