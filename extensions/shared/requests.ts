import { flag, listOf, numeric, oneOf, optional, type Reader, shape, text } from "./read-json.ts";

/** States that this version has words for; a state it does not know is read as "unknown". */
export const REQUEST_STATES = [
  "awaiting_details",
  "being_prepared",
  "form_ready",
  "partial_results",
  "results_ready",
  "in_review",
  "results_hidden",
  "cancelled",
  "needs_support",
  "handed_over",
  "unknown",
] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

const readAddress = shape({
  addressLine1: optional(text),
  addressLine2: optional(text),
  city: optional(text),
  state: optional(text),
  postCode: optional(text),
});

export const readPrefill = shape({
  firstName: optional(text),
  lastName: optional(text),
  email: optional(text),
  phone: optional(text),
  address: optional(readAddress),
  // Known only where details that were given are corrected.
  dob: optional(text),
  gender: optional(text),
  medicareCardNumber: optional(text),
  dvaNumber: optional(text),
});

/** A unit that also has tests under Medicare has two referrals. */
export const PARTS = ["commercial", "medicare", "other"] as const;
export const readPart = oneOf(PARTS, "other");

const DOCUMENT_KINDS = ["referral", "result", "other"] as const;

const readDocument = shape({
  id: text,
  kind: oneOf(DOCUMENT_KINDS, "other"),
  version: numeric,
  partial: flag,
  /** The referral of two that the document belongs to; null where the unit has one. */
  part: optional(readPart),
  /** The result that a report belongs to. */
  resultId: optional(text),
});

/** `inSight`: how many of the paragraphs are always in sight. An app of an earlier version has one layer, and no id. */
export const readNotice = shape({
  id: optional(text),
  paragraphs: listOf(text),
  inSight: optional(numeric),
  consent: text,
});
export type CollectionNotice = ReturnType<typeof readNotice>;

/** One unit of an order line, as the app tells it to this customer. */
export const readRequest = shape({
  id: text,
  /** Shopify global id. */
  orderId: text,
  orderName: text,
  title: text,
  /** First name and initial of the patient; null before the details are given, and for somebody else's. */
  patientName: optional(text),
  /** The number among all tests of the order. */
  inOrder: optional(shape({ number: numeric, of: numeric })),
  /** How often the unit was ordered again before. */
  replacement: optional(numeric),
  state: oneOf(REQUEST_STATES, "unknown"),
  /** A sentence for people; when empty, the sentence for the state is shown. */
  nextStep: optional(text),
  /** Whether a result of it is to be opened today. */
  isForToday: optional(flag),
  /** Whether the shop decides about it, because of a refund or an edit of the order. */
  needsDecision: optional(flag),
  documents: listOf(readDocument),
  resultId: optional(text),
  /** The state and result of each of two referrals; null where the unit has one. */
  parts: optional(
    listOf(
      shape({
        part: readPart,
        state: oneOf(REQUEST_STATES, "unknown"),
        nextStep: optional(text),
        resultId: optional(text),
      }),
    ),
  ),
  needsMedicare: optional(flag),
  /** How the patient prepares: shown beside the form once it is there; null when that is of no use. */
  preparation: optional(
    shape({
      when: oneOf(["later", "now"] as const, "later"),
      steps: optional(text),
      finder: optional(shape({ name: text, url: text })),
    }),
  ),
  /** Whether the app can send another adult a link of their own. */
  canHandOver: optional(flag),
  /** For the buyer of a unit that is with its patient. */
  handOver: optional(shape({ state: text, canTakeBack: flag })),
  /** Whether details that were given can still be corrected. */
  canCorrect: optional(flag),
  prefill: optional(readPrefill),
  /** The notice that is read and agreed to before details are given; its wording is recorded with the consent. */
  notice: optional(readNotice),
});

export type TestRequest = ReturnType<typeof readRequest>;
export type TestDocument = ReturnType<typeof readDocument>;
export type TestPart = (typeof PARTS)[number];
type Known = ReturnType<typeof readPrefill>;
type Corrected = "dob" | "gender" | "medicareCardNumber" | "dvaNumber";
export type Prefill = Omit<Known, Corrected> & Partial<Pick<Known, Corrected>>;

export const readRequests: Reader<TestRequest[]> = listOf(readRequest);
