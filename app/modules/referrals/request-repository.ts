import type { CustomerId, OrderId } from "../kernel/ids.ts";
import type { MedicareCard, Patient } from "../patients/patient.ts";
import type { UnitOwner } from "../patients/unit-owner.ts";
import type { Environment } from "../shops/connection.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Job } from "./jobs.ts";
import type { OrderedItems } from "./referral-service.ts";
import type { ReferralPart, ReferralRequest, RequestState } from "./request.ts";
import type { ResultReason, ReviewReason } from "./review-reason.ts";
import type { Stage } from "./stage.ts";
import type { Standing } from "./standing.ts";

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
> & {
  /** Copied from its order, so that one index lists requests by stage in the order of their payment. */
  order: { paidAt: Date; isTest: boolean };
};

/** Fields that may change together with the state. */
export interface RequestChange {
  resultReason?: ResultReason | null;
  reviewReason?: ReviewReason | null;
  handledReason?: ReviewReason | null;
  replacedBy?: string;
  attempt?: number;
  attemptStartedAt?: Date;
  attemptDeadlineAt?: Date;
  recoveryLowerBound?: Date;
  emptyScans?: number;
  missingPart?: ReferralPart | null;
  riskAccepted?: boolean;
  underAge?: boolean;
  kept?: boolean;
  cancellation?: Cancellation | null;
  /** Details that came with the event, and when their patient agreed. A redacted request takes none. */
  given?: { patient: PatientOnRequest; consentAt: Date };
}

/** Fields that a deliberate re-order changes; everything else is carried over from the latest generation. */
export interface NextGeneration {
  id: string;
  generation: number;
  referenceNumber: string;
  items: OrderedItems;
  state: RequestState;
  stage: Stage;
  /** Null when they have to be asked for. */
  patient: PatientOnRequest | null;
}

export interface PatientOnRequest {
  patient: Patient;
  medicare: MedicareCard | null;
}

/** Requests by their ids: from `from` on, up to `until`; null: to the end. */
export interface IdRange {
  from: string;
  until: string | null;
}

/** A job that takes a request up again. */
export type StalledWork = Extract<
  Job,
  { name: "create-referral" | "resolve-ambiguous" | "delete-referrals" | "correct-referrals" }
>;

/** One unit of an order's line, with the title it was last ordered under. */
export type OrderUnit = Pick<ReferralRequest, "orderId" | "lineItemId" | "unit" | "title">;

/** Fields of one unit of an account that say whose it is, and whether its patient is named. */
export type UnitOfAccount = Pick<
  ReferralRequest,
  "id" | "orderId" | "customerId" | "owner" | "hasPatient"
>;

/** A unit that is with its patient, and the address that the patient's links go to. */
export interface InvitedUnit extends Pick<ReferralRequest, "orderId" | "lineItemId" | "unit"> {
  email: string;
}

/** A request as its row says whose its unit is. */
export type HandedUnit = Pick<
  ReferralRequest,
  "id" | "orderId" | "lineItemId" | "unit" | "generation" | "owner" | "invitedAt"
>;

export interface RequestRepository {
  /** Adds those that do not exist; a lost race is a success. Returns the ids that were added. */
  add(requests: NewRequest[], at: Date): Promise<string[]>;
  find(id: string): Promise<ReferralRequest | null>;
  /** Finds it and lets nobody change it until the transaction ends. */
  findForUpdate(id: string): Promise<ReferralRequest | null>;
  /** The same for the request that a stored referral belongs to; null when nothing is stored of the referral. */
  findOfReferralForUpdate(referralUuid: string): Promise<ReferralRequest | null>;
  findByReferenceNumber(referenceNumber: string): Promise<ReferralRequest | null>;
  byReferenceNumbers(referenceNumbers: string[]): Promise<Map<string, ReferralRequest>>;
  /** Those of the named ones that exist. */
  some(ids: string[]): Promise<ReferralRequest[]>;
  forOrder(orderId: OrderId): Promise<ReferralRequest[]>;
  /** Ids of the units of an order that its buyer has. */
  idsOfBuyer(orderId: OrderId): Promise<string[]>;
  /** Reads as `forOrder` does. No request changes until the transaction ends. */
  forOrderForUpdate(orderId: OrderId): Promise<ReferralRequest[]>;
  /** Those that may still be handed over, by id, behind one of them, at most so many. */
  unsentOf(
    environment: Environment,
    page: { after: string | null; limit: number },
  ): Promise<ReferralRequest[]>;
  /** By id, at most so many. */
  inRange(range: IdRange, limit: number): Promise<ReferralRequest[]>;
  /** Copies payment and kind from their orders where they differ. Returns the ids of those that did. */
  followOrders(ids: string[]): Promise<string[]>;
  /** Newest first, behind one of them. */
  forCustomer(
    customerId: CustomerId,
    page: { after: string | null; limit: number },
  ): Promise<ReferralRequest[]>;
  /** Units of an account whose patients the buyer has named, the newest first, at most so many. */
  namedOfAccount(customerId: CustomerId, limit: number): Promise<UnitOfAccount[]>;
  /** Writes what the ledger made of a request whose row is locked (apply.ts). Returns it as it is afterwards. */
  write(
    id: string,
    change: RequestChange & { state: RequestState } & Standing,
  ): Promise<ReferralRequest>;
  /** By request: the later generations of its unit, oldest first. A request without any is left out. */
  laterGenerations(ids: string[]): Promise<Map<string, ReferralRequest[]>>;
  /** Opens the next generation of a unit. False when there is one already. */
  openNext(latestId: string, next: NextGeneration, at: Date): Promise<boolean>;
  /** Replaces the ordered items. Allowed only while nothing exists at the service, or to say what does (split-forgotten.ts). */
  setItems(id: string, items: OrderedItems): Promise<void>;
  /** Whether everything about its patient was destroyed. */
  isRedacted(id: string): Promise<boolean>;
  savePatient(id: string, patient: PatientOnRequest, consentAt: Date): Promise<void>;
  /** Forgets the patient of a request whose row is locked. */
  forgetPatient(id: string): Promise<void>;
  /** Hides its results from everybody since then; null shows them again. */
  hideResults(id: string, at: Date | null): Promise<void>;
  /** Notes since when no mail reaches the owner; null: it may be tried again. */
  recordMailRefused(id: string, at: Date | null): Promise<void>;
  /** The units of an order that its buyer has, as far as mail about them is refused, or is not. */
  ofBuyer(orderId: OrderId, options: { mailRefused: boolean }): Promise<ReferralRequest[]>;
  patientOf(id: string): Promise<PatientOnRequest | null>;
  /** Patients by the ids of their requests; a request without details is left out. */
  patientsOf(ids: string[]): Promise<Map<string, PatientOnRequest>>;
  /** Every unit of these orders once, whatever became of it, in the sequence of its order's lines. */
  unitsOf(orderIds: OrderId[]): Promise<OrderUnit[]>;
  /** Gives a unit whose row is locked to whoever owns the address, and forgets what was known of a patient. */
  recordInvitation(id: string, email: string, at: Date): Promise<void>;
  /** Where the patient's links go; null while the buyer holds the unit, and where the address was lost with a database. */
  invitedEmailOf(id: string): Promise<string | null>;
  /** The same of all units of orders that are with their patients. */
  invitedOf(orderIds: OrderId[]): Promise<InvitedUnit[]>;
  /** Gives the unit back to its buyer; false once a patient has claimed it. */
  revokeInvitation(id: string, at: Date): Promise<boolean>;
  /**
   * Whose a unit became in a database that is lost, and since when, where its row says otherwise (docs/decisions/0219); null where the
   * row is right.
   */
  ownerSinceBackup(unit: HandedUnit): Promise<{ owner: UnitOwner; since: Date } | null>;
  /** Gives a unit whose row is locked to a patient whose address is lost: since then it is theirs, and no mail reaches them. */
  recordLostPatient(id: string, at: { since: Date; now: Date }): Promise<void>;
  /** Notes where the patient of such a unit is, who has come: null where nobody can tell. */
  recordFoundPatient(id: string, email: string | null): Promise<void>;
  /** Notes that the patient came; null when that was noted, or the unit went back. */
  claim(id: string, at: Date): Promise<ReferralRequest | null>;
  /** False when they were stopped before. */
  stopReminders(id: string, owner: UnitOwner, at: Date): Promise<boolean>;
  /**
   * Lists requests that were refused with one of these codes, need attention, have their patient's details, and can go out
   * again by now: their mapping needs no practitioner, or names one in the registry whom the service is not known to
   * refuse. Oldest first, at most `limit`.
   */
  refusedForOthers(codes: readonly string[], limit: number): Promise<string[]>;
  /**
   * Refunded units whose referral waits for a person's click, by id, behind one of them; none that was marked as handled.
   */
  refundsToDecide(page: { after: string | null; limit: number }): Promise<string[]>;
  countRefundsToDecide(): Promise<number>;
  /** Whether a create call of this shop is under way, or was when its process died. */
  isAnySending(environment: Environment): Promise<boolean>;
  /** How many are to be sent or looked for at the service, at most so many and one. */
  countUnsettled(environment: Environment, limit: number): Promise<number>;
  /**
   * Units that have their details and are not ordered, and that nobody has touched for between so long and so long, oldest
   * first, at most so many. None whose owner was told of a delay of this order, none that staff marked as handled.
   */
  delayed(unchanged: { fromMs: number; toMs: number }, limit: number): Promise<string[]>;
  /**
   * Work that waits for nothing but a service that can be reached, in both environments without one. Work that a person has dealt with
   * otherwise, or that could have been sent for weeks, is part of it once somebody tested the connection.
   */
  stalled(environment?: Environment, isTested?: boolean): Promise<StalledWork[]>;
}
