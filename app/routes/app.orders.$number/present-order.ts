import { sayAccess } from "../../modules/access/access-words.ts";
import { VARIANT_STATE_WORDS } from "../../modules/catalogue/mapping-words.ts";
import { gidNumber } from "../../modules/kernel/ids.ts";
import type { TimelineKind } from "../../modules/kernel/timeline.ts";
import { ENVIRONMENT_NAMES } from "../../modules/lifecycle/connection-words.ts";
import type { Consent } from "../../modules/patients/consent-repository.ts";
import type { RequestFacts } from "../../modules/referrals/customer-view.ts";
import { isHeld } from "../../modules/referrals/referral-repository.ts";
import { reorderVersion } from "../../modules/referrals/reorder-request.ts";
import { requestVersion } from "../../modules/referrals/request-version.ts";
import { isPractitionerRefused } from "../../modules/referrals/retry-refused.ts";
import { reasonKey } from "../../modules/referrals/review-reason.ts";
import { stageOf } from "../../modules/referrals/standing.ts";
import { describeStatus } from "../../modules/referrals/status-words.ts";
import { numberUnits, type UnitNumber } from "../../modules/referrals/unit-number.ts";
import { describeAttention } from "../../modules/reports/attention-words.ts";
import type { OrderLineHeader } from "../../modules/reports/order-header.ts";
import { isReachable, type OrderOverview } from "../../modules/reports/read-order.ts";
import { describeRequest } from "../../modules/reports/request-state-words.ts";
import { describeEntry } from "../../modules/reports/timeline-words.ts";
import type { WebApp } from "../../web-app.ts";
import { variantAddress } from "../app.mappings/address.ts";
import { presentWait } from "../app.referrals/present-wait.ts";
import { askAbout } from "./ask-about.ts";
import { bannerAction } from "./attention-action.ts";
import { describePatient } from "./describe-patient.ts";
import { describePhone } from "./describe-phone.ts";
import { offeredActions } from "./offered-actions.ts";
import { presentMail, presentReminders } from "./present-mails.ts";
import { presentCustomer, summarise } from "./present-summary.ts";

type Words = Pick<WebApp, "describeFailure">;
export type OrderView = ReturnType<typeof presentOrder>;
export type LineView = OrderView["lines"][number];
export type RequestView = LineView["requests"][number];
export type AccessView = OrderView["accesses"][number];
export type EntryView = OrderView["timeline"][number];

/** One order for staff: words, references and times. Nobody's name, nothing clinical. */
export function presentOrder(app: Words, overview: OrderOverview) {
  const { order, requests, timeline, accesses, staffNames } = overview;
  const { mails, reminders } = overview;
  // The only unit of an order needs no title: everything is about it.
  const several = requests.length > 1 ? requests : [];
  const numberOf = numberUnits(requests.map(({ request }) => request));
  const titles = new Map(
    several.map(({ request }) => [
      request.id,
      `${request.title}, test ${numberOf(request).number}`,
    ]),
  );
  const about = (requestId: string) => titles.get(requestId) ?? null;
  const asked = askedOf(requests);
  const lines = order.lines.map((line) =>
    presentLine(app, line, {
      ...overview,
      all: requests,
      numberOf,
      asked,
      buyer: buyerName(overview),
      isReachable: isReachable(overview),
    }),
  );
  const kept = new Set(
    requests.filter(({ request }) => request.kept).map(({ request }) => request.id),
  );
  const environments = new Set(requests.map(({ request }) => request.environment));
  return {
    number: gidNumber(order.orderId),
    name: order.name,
    paidAt: order.paidAt.toISOString(),
    readAt: order.readAt.toISOString(),
    isTest: order.test,
    isCancelled: order.cancelledAt !== null,
    environments: [...environments].map((one) => ENVIRONMENT_NAMES[one]).join(", "),
    attention: order.attention && describeAttention(order.attention, app.describeFailure),
    /** What somebody marked as handled, and which of the order's tests it is about. */
    handled: overview.handled.map(({ reason, requestIds }) => ({
      reason: reasonKey(reason),
      sentence: requestIds.some((id) => kept.has(id))
        ? "The patient keeps this test, although it was refunded or removed."
        : describeAttention(reason, app.describeFailure).sentence,
      about: requestIds.flatMap((id) => titles.get(id) ?? []).join(", "),
    })),
    waits: overview.waits.map(presentWait),
    attentionAction: order.attention
      ? bannerAction(order.attention, gidNumber(order.orderId))
      : undefined,
    customer: presentCustomer(overview),
    summary: summarise(
      order.lines.map((line) => ({
        id: gidNumber(line.lineItemId),
        title: line.title,
        requests: ofLine(requests, line).map((facts) => ({
          ...describeRequest(facts, app.describeFailure),
          unit: facts.request.unit,
          // A part that was not ordered again stands where it did.
          isReplaced: facts.request.replacedBy !== null && stageOf(facts) === "cancelled",
        })),
      })),
    ),
    lines,
    mails: mails.map((mail) => presentMail(mail, about, overview)),
    reminders: presentReminders(reminders, about),
    timeline: timeline.map((entry) => ({
      ...describeEntry(entry, app.describeFailure, staffNames),
      id: entry.id,
      at: entry.at.toISOString(),
      about: entry.requestId ? (titles.get(entry.requestId) ?? null) : null,
      isTechnical: TECHNICAL.has(entry.kind),
    })),
    hasTimelineEnded: overview.hasTimelineEnded,
    accesses: accesses.map((entry, index) => ({
      id: index,
      sentence: sayAccess(entry, entry.actorName),
      at: entry.at.toISOString(),
      about: entry.requestId ? (titles.get(entry.requestId) ?? null) : null,
    })),
  };
}

/** Calls and attempts: what became of them has an entry of its own, or is the test's status. */
const TECHNICAL: ReadonlySet<string> = new Set<TimelineKind>([
  "order_read",
  "create_started",
  "create_not_sent",
  "create_unknown",
  "create_interrupted",
  "scan_found",
  "scan_empty",
  "scan_failed",
  "resend_allowed",
  "answer_unreadable",
]);

/**
 * Asking for details again asks for all of an order's: the first unit that lacks them offers it for the others. A patient whose address
 * is lost can't be asked.
 */
function askedOf(requests: RequestFacts[]) {
  const waiting = requests.filter(
    ({ request, isPatientLost }) => request.state === "awaiting_details" && !isPatientLost,
  );
  return { by: waiting[0]?.request.id ?? null, count: waiting.length };
}

const ofLine = (requests: RequestFacts[], { lineItemId }: OrderLineHeader) =>
  requests.filter(({ request }) => request.lineItemId === lineItemId);

function presentLine(
  app: Words,
  line: OrderLineHeader,
  order: {
    all: RequestFacts[];
    numberOf: ReturnType<typeof numberUnits>;
    asked: ReturnType<typeof askedOf>;
    /** Who bought it, after the order's name. */
    buyer: string;
    isReachable: boolean;
  } & Pick<OrderOverview, "consents" | "phones" | "order" | "prices" | "shown">,
) {
  const { all, numberOf, asked, consents, phones, buyer, prices, isReachable, shown } = order;
  const { test: isTest, name } = order.order;
  const own = ofLine(all, line);
  const hidden = own.filter(({ request }) => !shown.has(request.id));
  return {
    id: gidNumber(line.lineItemId),
    title: line.title,
    sku: line.sku,
    quantity: line.quantity,
    removed: line.quantity - line.currentQuantity,
    mappingState: line.mappingState,
    mapping: VARIANT_STATE_WORDS[line.mappingState],
    /** Where to say what it orders. An order paid with Shopify's test payments is staging's, wherever others go. */
    mappingUrl:
      line.variantId && variantAddress(gidNumber(line.variantId), isTest ? "staging" : undefined),
    /** Tests that are not on the page, and how many of them need somebody. */
    hidden: hidden.length,
    hiddenAttention: hidden.filter((facts) => stageOf(facts) === "attention").length,
    wholeUrl: `/app/orders/${gidNumber(order.order.orderId)}?units=all`,
    requests: own
      .filter(({ request }) => shown.has(request.id))
      .map((facts) => ({
        ...presentRequest(app, facts, { line, unit: numberOf(facts.request), asked, isReachable }),
        questions: askAbout(facts, {
          subject: {
            test: nameTest(line.title, numberOf(facts.request)),
            order: buyer ? `${name} (${buyer})` : name,
          },
          cost: prices.get(facts.request.id) ?? null,
        }),
        ring: describePhone(phones.get(facts.request.id)),
        consents: (consents.get(facts.request.id) ?? []).map(presentConsent),
      })),
  };
}

const buyerName = ({ customer, isErased }: OrderOverview) =>
  isErased ? "" : (customer?.name ?? customer?.email ?? "");

/** The words that were agreed to, when and by whom in the order; never a name. */
const presentConsent = ({ givenBy, version, wording, givenAt }: Consent) => ({
  by: givenBy === "patient" ? "the patient" : "the buyer",
  version,
  wording,
  at: givenAt.toISOString(),
});

function presentRequest(
  app: Words,
  facts: RequestFacts,
  place: {
    line: OrderLineHeader;
    unit: UnitNumber;
    asked: ReturnType<typeof askedOf>;
    isReachable: boolean;
  },
) {
  const { line, unit, asked } = place;
  const isReachable = place.isReachable || facts.request.owner === "patient";
  const { variantId } = line;
  const { request, referrals, results, documents } = facts;
  const { id, generation, referenceNumber } = request;
  const resultsUrl = `/app/orders/${gidNumber(request.orderId)}/requests/${id}/results`;
  return {
    id,
    version: requestVersion(request),
    reorderVersion: reorderVersion(facts),
    unitName: `Test ${unit.number} of ${unit.of}`,
    generation,
    isReplaced: request.replacedBy !== null,
    referenceNumber,
    ...describeRequest(facts, app.describeFailure, { isReachable }),
    needsAttention: stageOf(facts) === "attention",
    patient: describePatient(request),
    actions: offeredActions(facts, {
      askedUnits: request.id === asked.by ? asked.count : 0,
      isReachable,
    }),
    /** Where to choose who orders it, when the service refuses who does. */
    practitionerUrl:
      variantId && isPractitionerRefused(request.reviewReason)
        ? variantAddress(gidNumber(variantId), request.environment)
        : null,
    resultsUrl: results.length > 0 && !request.resultsHiddenAt ? resultsUrl : null,
    /** Since when nobody opens its results, because the consent was withdrawn. */
    hiddenAt: request.resultsHiddenAt?.toISOString() ?? null,
    /** Where held results are reviewed and released. Those that their patient has hidden are released unread. */
    reviewUrl: request.state === "created" && results.some(isHeld) ? resultsUrl : null,
    referrals: referrals.map((referral) => ({
      uuid: referral.uuid,
      reference: referral.reference,
      origin: originName(referral.origin),
      medicare: referral.medicare,
      isDeleted: referral.deletedAt !== null,
      isReplaced: referral.replacedBy !== null,
      routingMessage: referral.routingMessage,
      fetchedAt: referral.fetchedAt.toISOString(),
      rawStatus: referral.status,
      status: describeStatus(referral.status),
    })),
    documents: documents.map((document) => ({
      id: document.id,
      name: document.kind === "referral" ? "Referral form" : "Result report",
      version: document.version,
      partial: document.partial,
      kilobytes: Math.max(1, Math.round(document.bytes / 1024)),
      at: document.createdAt.toISOString(),
    })),
  };
}

const nameTest = (title: string, { number, of }: UnitNumber) =>
  of > 1 ? `${title}, test ${number} of ${of}` : title;

const ORIGINS: Record<string, string> = {
  STORE_INTEGRATION: "Store integration",
  API: "API",
  CONSUMER_WEBSITE: "Consumer website",
  BUNDLE_PURCHASE: "Bundle purchase",
  UNKNOWN: "Unknown",
};

/** Where the service says a referral came from (interface §2.1). */
const originName = (origin: string) => ORIGINS[origin] ?? origin;
