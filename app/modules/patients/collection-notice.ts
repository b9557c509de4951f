import { createHash } from "node:crypto";
import type { ShopDomain } from "../kernel/ids.ts";
import { monthsInWords } from "../kernel/words.ts";
import type { NoticeDetails } from "../shops/shop.ts";
import type { UnitOwner } from "./unit-owner.ts";

/**
 * Version of the words below. Raise it with every change of them: each consent names its own wording, so that former versions
 * stay readable (tables `consents`, `notice_wordings`). Version 1 said that staff cannot see results; versions 1 and 2 had one sentence for
 * everybody; up to version 3 no recipient was named, and nothing said of other countries; up to version 4 it did not say that a
 * reviewer sees name and age, and who sees a phone number or an address; version 5 told whole years in months; up to version 6
 * the notice had one layer, and nothing said that agreement can be withdrawn; version 7 named undeliverable emails alone as a cause
 * to see a phone number.
 */
export const NOTICE_VERSION = 8;

/** How long staff see results after giving a reason; `openStaffAccess` ends it then. */
export const STAFF_MINUTES = 15;

/** The text that somebody reads before they give a patient's details, and agrees to. */
export interface CollectionNotice {
  version: number;
  /** Names these very words: a form tells with it which notice was read. */
  id: string;
  /** All of it. What matters most comes first. */
  paragraphs: string[];
  /** How many of the paragraphs are always in sight; the others are a layer below, which the reader opens. */
  inSight: number;
  /** The sentence that is ticked. */
  consent: string;
}

export interface NoticeFacts {
  shop: ShopDomain;
  shopName: string | null;
  /** After how many months the shop redacts a request; null keeps it. */
  retentionMonths: number | null;
  /** The one who gives the details and sees what follows. */
  owner: UnitOwner;
  notice: NoticeDetails;
}

/**
 * The collection notice of a shop (Australian Privacy Principle 5), in two layers: what somebody has to know to decide, and the
 * rest. Each sentence says what this app does.
 */
export function collectionNotice(facts: NoticeFacts): CollectionNotice {
  const { shop, retentionMonths, owner, notice } = facts;
  const name = facts.shopName ?? "the shop";
  const inSight = [
    `Who collects and why: ${name} collects these details to order this test and to return its results. Without them the test can't be ordered.`,
    `Where they go: to ${notice.recipient ?? "the pathology service"}, who prepares the referral form; to the practitioner who signs it; and to the laboratory that does the test.`,
    WHO_SEES[owner],
    `Your choice: you can withdraw your agreement and have this information deleted, on the page with your tests. To ask or complain, contact ${notice.complaints ?? name}.`,
  ];
  const below = [
    BUYERS_VIEW[owner],
    "What goes with them: a Medicare card number, if the test needs one. The service, the practitioner and the laboratory keep records of their own, also after you have yours deleted here.",
    overseas(notice, name),
    `Staff of ${name} don't see the details or the results in their daily work. A manager or reviewer can open the results, also before they are released, only by giving a reason and for ${STAFF_MINUTES} minutes. A reviewer of held results sees the patient’s name and age beside them. If emails can’t be delivered, or a result is held or should be talked about today, a manager or reviewer sees the patient’s phone number, to ring them. They also see the email address that emails about the test went to. Who opened them, when and why is recorded, and you can see when they were opened. Managers can also open this information to answer a request for access to it.`,
    retentionMonths === null
      ? `How long: ${name} keeps the details, the form and the results until somebody asks for them to be deleted.`
      : `How long: ${name} deletes the details, the form and the results ${monthsInWords(retentionMonths)} after the last change to the test.`,
    `Access and correction: you can see, download, correct and delete this information on the page with your tests, or ask ${name}. The privacy policy says more: ${notice.policyUrl ?? `https://${shop}/policies/privacy-policy`}`,
    `Complaints: first contact ${notice.complaints ?? name}. If the answer doesn't settle it, complain to the Office of the Australian Information Commissioner (OAIC), oaic.gov.au, 1300 363 992.`,
  ];
  const paragraphs = [...inSight, ...below];
  const consent = CONSENTS[owner];
  const words = createHash("sha256").update([...paragraphs, consent].join("\n"));
  return {
    version: NOTICE_VERSION,
    id: words.digest("hex").slice(0, 16),
    paragraphs,
    inSight: inSight.length,
    consent,
  };
}

/** Says what the shop answered; while it has not, whom to ask, since a promise that nobody made would be untrue. */
function overseas({ sendsOverseas, countries }: NoticeDetails, name: string): string {
  if (sendsOverseas === null)
    return `Other countries: ask ${name} whether this information is sent outside Australia.`;
  if (!sendsOverseas) return "Other countries: this information isn't sent outside Australia.";
  return `Other countries: this information is likely to be sent outside Australia, to ${countries ?? "countries that the privacy policy names"}.`;
}

const WHO_SEES: Record<UnitOwner, string> = {
  buyer: "Who sees the results: whoever bought this test, and staff of the shop with a reason.",
  patient:
    "Who sees the results: you, and staff of the shop with a reason. Whoever bought this test doesn't.",
};

const BUYERS_VIEW: Record<UnitOwner, string> = {
  buyer:
    "More on who sees them: whoever bought this test sees the details, the referral form and the results. If the patient is somebody else, the patient can be invited to give the details: then only the patient sees these.",
  patient:
    "More on who sees them: you see the details, the referral form and the results. Whoever bought this test sees whether you have given your details and whether the test was cancelled, and nothing else.",
};

const CONSENTS: Record<UnitOwner, string> = {
  buyer:
    "I agree to these details being used to order this test and send me the results. If they are another person’s, that person agrees too",
  patient: "I agree to my details being used to order this test and send me the results",
};
