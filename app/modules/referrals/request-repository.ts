import type { CustomerId, OrderId } from "../kernel/ids.ts";
import type { Holder } from "../patients/holder.ts";
import type { MedicareCard, Patient } from "../patients/patient.ts";
import type { Environment } from "../shops/connection.ts";
import type { OrderedItems } from "./referral-service.ts";
import type { Half, ReferralRequest, RequestState, Withdrawer } from "./request.ts";
import type { ReviewReason } from "./review-reason.ts";

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
  attention?: ReviewReason | null;
  unwanted?: boolean;
  attempt?: number;
  attemptStartedAt?: Date;
  attemptDeadlineAt?: Date;
  scanFrom?: Date;
  emptyScans?: number;
  half?: Half | null;
  withdrawnBy?: Withdrawer | null;
}

/** What a deliberate re-order changes; everything else is carried over. */
export interface NextGeneration {
  id: string;
  generation: number;
  referenceNumber: string;
  items: OrderedItems;
  state: RequestState;
  /** Null when they have to be asked for. */
  patient: PatientOnRequest | null;
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
  byReferenceNumbers(referenceNumbers: string[]): Promise<Map<string, ReferralRequest>>;
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
  setAttention(id: string, reason: ReviewReason | null): Promise<void>;
  /** Notes that a person has dealt with a reason; forgotten by the database once it is the reason no longer. */
  markHandled(id: string, reason: string): Promise<void>;
  /** Changes what does not depend on the state. */
  change(id: string, change: RequestChange): Promise<void>;
  /** Notes which request was opened in this one's place. False when another was before. */
  replace(id: string, by: string): Promise<boolean>;
  /** Opens the next generation of a unit. False when there is one already. */
  openNext(previousId: string, next: NextGeneration, at: Date): Promise<boolean>;
  /** What is ordered; to be changed only while nothing exists at the service. */
  setItems(id: string, items: OrderedItems): Promise<void>;
  /** Whether the store has taken the unit back while something might have been sent for it. */
  setUnwanted(id: string, unwanted: boolean): Promise<void>;
  /** Whether everything about its patient was destroyed. */
  isRedacted(id: string): Promise<boolean>;
  savePatient(id: string, patient: PatientOnRequest, consentAt: Date): Promise<void>;
  patientOf(id: string): Promise<PatientOnRequest | null>;
  /**
   * Gives the unit to whoever owns the address and forgets what was known of a patient. False once a patient
   * has claimed it or it is being sent; the statement decides between this and the sender.
   */
  handOver(id: string, email: string, at: Date): Promise<boolean>;
  /** Where the patient's links go; null while the buyer holds the unit. */
  holderEmailOf(id: string): Promise<string | null>;
  /** Gives the unit back to its buyer; false once a patient has claimed it. */
  takeBack(id: string): Promise<boolean>;
  /** Notes that the patient came; null when that was noted, or the unit went back. */
  claim(id: string, at: Date): Promise<ReferralRequest | null>;
  /** False when they were stopped before. */
  stopReminders(id: string, holder: Holder, at: Date): Promise<boolean>;
  /**
   * Oldest first, at most so many: requests in need of attention, with their patient's details, that were refused with
   * one of these codes, and whose mapping by now names a practitioner in the registry whom the service is not known to
   * refuse, or needs none.
   */
  refusedForOthers(codes: readonly string[], limit: number): Promise<string[]>;
  /** Refunded units whose referral waits for a person's click, oldest order first; none that was marked as handled. */
  refundsToDecide(): Promise<string[]>;
  /** Whether a create call of this shop is under way, or was when its process died. */
  isAnySending(environment: Environment): Promise<boolean>;
  /**
   * Requests that wait for nothing but a service that can be reached: to be sent, to be found out about, or to be
   * withdrawn. None that a person has to look at first, unless for the connection alone, or the service's list. In both environments without
   * one.
   */
  unsettled(environment?: Environment): Promise<Pick<ReferralRequest, "id" | "state">[]>;
}
