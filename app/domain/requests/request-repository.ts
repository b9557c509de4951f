import type { Environment } from "../connections/connection.ts";
import type { CustomerId, OrderId } from "../ids.ts";
import type { MedicareCard, Patient } from "../patients/patient.ts";
import type { OrderedItems } from "../referrals/referral-service.ts";
import type { ReferralRequest, RequestState } from "./request.ts";

export type NewRequest = Pick<
  ReferralRequest,
  | "id"
  | "environment"
  | "orderId"
  | "lineItemId"
  | "unit"
  | "generation"
  | "referenceNumber"
  | "title"
  | "items"
  | "customerId"
>;

/** What a change of state may carry with it. */
export interface RequestChange {
  attention?: string | null;
  unwanted?: boolean;
  attempt?: number;
  attemptStartedAt?: Date;
  attemptDeadlineAt?: Date;
  emptyScans?: number;
}

export interface PatientOnRequest {
  patient: Patient;
  medicare: MedicareCard | null;
}

export interface RequestRepository {
  /** Adds those that do not exist; a lost race is a success. Returns the ids that were added. */
  add(requests: NewRequest[], at: Date): Promise<string[]>;
  find(id: string): Promise<ReferralRequest | null>;
  /** Finds it and lets nobody change it until the transaction ends. */
  findForUpdate(id: string): Promise<ReferralRequest | null>;
  findByReferenceNumber(referenceNumber: string): Promise<ReferralRequest | null>;
  forOrder(orderId: OrderId): Promise<ReferralRequest[]>;
  /** As `forOrder`; none of them changes until the transaction ends. */
  forOrderForUpdate(orderId: OrderId): Promise<ReferralRequest[]>;
  forCustomer(customerId: CustomerId): Promise<ReferralRequest[]>;
  /**
   * Moves a request from one of `from` to `to`, in one statement. Returns the request as it is afterwards,
   * or null when it was in none of them: somebody else was there first. With `attempt`, only while that is
   * still the request's latest attempt: what is learnt about one attempt must not end a later one.
   */
  move(
    id: string,
    from: readonly RequestState[],
    to: RequestState,
    change?: RequestChange,
    attempt?: number,
  ): Promise<ReferralRequest | null>;
  setAttention(id: string, reason: string | null): Promise<void>;
  /** What is ordered; to be changed only while nothing exists at the service. */
  setItems(id: string, items: OrderedItems): Promise<void>;
  /** Whether the store has taken the unit back while something might have been sent for it. */
  setUnwanted(id: string, unwanted: boolean): Promise<void>;
  savePatient(id: string, patient: PatientOnRequest, consentAt: Date): Promise<void>;
  patientOf(id: string): Promise<PatientOnRequest | null>;
  /** Gives one customer's requests and documents to another, whom the store merged them into. */
  moveToCustomer(from: CustomerId, into: CustomerId): Promise<void>;
  /** Requests that could not be sent for a reason that lies with the connection. */
  stalled(environment: Environment): Promise<string[]>;
  /** Requests that are to be sent, or whose sending is unclear, and that no person has to look at first. */
  unsettled(): Promise<Pick<ReferralRequest, "id" | "state">[]>;
}
