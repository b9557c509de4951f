/** The two who can cancel a unit. A unit that staff cancel is still paid for, until the store cancels it too. */
export const CANCELLERS = ["store", "staff"] as const;
export type Canceller = (typeof CANCELLERS)[number];

export const CANCELLATION_STATUSES = [
  /** The store wants nothing of the unit; nothing is decided about a referral that exists or may exist. */
  "requested",
  /** A referral that exists is deleted at the service; one that turns up is too. */
  "confirmed",
  /** The request is cancelled: nothing of it exists at the service. */
  "done",
] as const;
export type CancellationStatus = (typeof CANCELLATION_STATUSES)[number];

/** That a unit is no longer wanted. */
export interface Cancellation {
  requestedBy: Canceller;
  status: CancellationStatus;
}

/** Whether what exists at the service is to be deleted without asking anybody again. */
export const isConfirmed = (cancellation: Cancellation | null): cancellation is Cancellation =>
  cancellation?.status === "confirmed";

/** The same cancellation once nothing is being deleted for it: staff's is over, the store still wants nothing. */
export const withoutDeletion = (cancellation: Cancellation | null): Cancellation | null =>
  cancellation?.requestedBy === "store" ? { requestedBy: "store", status: "requested" } : null;
