/** A cause for which an order's tests wait, and which no click on the order would hasten. */
export type OrderWait =
  /** Nobody has connected the service again since its connection was removed. */
  | { kind: "connection"; since: Date }
  /** The service answers no call; it is asked again by itself. */
  | { kind: "service"; since: Date }
  /** The service refuses the connection's credentials, or they can't be read, until somebody enters others. */
  | { kind: "credentials"; since: Date }
  /** The database was restored: nothing is sent before the service's list was compared with it. */
  | { kind: "pause"; since: Date }
  /** The service verifies whoever orders the Medicare part. */
  | { kind: "practitioner"; since: Date }
  /** The patient's details are missing. */
  | { kind: "details"; since: Date; remindedAt: Date | null };
