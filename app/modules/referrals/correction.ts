import type { Patient } from "../patients/patient.ts";

/** Details that were corrected after the referral was ordered, until the service has them. */
export interface PendingCorrection {
  /** Counts up for each request; a later one replaces an earlier one. */
  number: number;
  patient: Patient;
  /** Somebody is passing it on, and nobody else may before this moment. */
  sendingUntil: Date | null;
}

export interface CorrectionRepository {
  /** Keeps a correction; one that is still pending is superseded. Returns its number. */
  add(requestId: string, patient: Patient, at: Date): Promise<number>;
  /** The latest, while it is pending. */
  pending(requestId: string): Promise<PendingCorrection | null>;
  /** The number of the latest of each of these requests that has one pending. */
  pendingNumbers(requestIds: string[]): Promise<Map<string, number>>;
  /** Whether the service refused the latest: then nobody knows details that are right. */
  wasRefused(requestId: string): Promise<boolean>;
  /** When the latest passing-on of any correction of this request ends, at the latest. */
  busyUntil(requestId: string): Promise<Date | null>;
  claim(requestId: string, number: number, until: Date): Promise<void>;
  /** Ends a passing-on before its time; one of the same correction that somebody else has begun since goes on. */
  release(requestId: string, number: number, until: Date): Promise<void>;
  /** Ends a pending correction and forgets its details, which are elsewhere then. False when it had ended already. */
  settle(
    requestId: string,
    number: number,
    state: "applied" | "refused" | "superseded",
    at: Date,
  ): Promise<boolean>;
}
