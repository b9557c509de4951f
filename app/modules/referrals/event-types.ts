/** The events that the service tells of (interface §6). */
export const SERVICE_EVENT_TYPES = [
  "referral.created",
  "referral.issued",
  "referral.pending_verification",
  "referral.billing_failed",
  "referral.scheduled_reissue",
  "referral.partial_results",
  "referral.complete",
  "result.created",
  "result.updated",
  "result.partial_results",
  "result.complete",
  "result.in_review",
] as const;

/**
 * The thing that an event of the service points at (interface §6). An event is a hint: only a refetch tells what is
 * true.
 */
export type ServiceHint =
  | {
      kind: "hint";
      eventType: string;
      referralUuid: string | null;
      resultUuid: string | null;
    }
  | { kind: "unreadable" };

/** Port: reads an event of the service, in whatever shape it comes. */
export type ServiceEventReader = (body: Buffer) => ServiceHint;
