/** Long because the list, one request and its words are read from the same facts by the same rules. */
import { together } from "../../platform/together.ts";
import type { OrderId } from "../kernel/ids.ts";
import { type CollectionNotice, collectionNotice } from "../patients/collection-notice.ts";
import { addAskedToRing } from "../referrals/asked-to-ring.ts";
import { awaitCorrection } from "../referrals/await-correction.ts";
import { phonesToRing } from "../referrals/clinical-texts.ts";
import { mayCorrect } from "../referrals/correct-patient-details.ts";
import {
  type CustomerState,
  customerState,
  invitationStep,
  isForToday,
  isShown,
  LOST_INVITATION,
  NEXT_STEPS,
  nextStepOf,
  type RequestFacts,
  resultToOffer,
  statusesOf,
  todayOf,
  undeliveredInvitation,
} from "../referrals/customer-view.ts";
import type { DocumentKind } from "../referrals/document.ts";
import { needsDecision } from "../referrals/form-closed.ts";
import { isPatientLost } from "../referrals/recall-owner.ts";
import { isUnsent, type ReferralPart, type ReferralRequest } from "../referrals/request.ts";
import { gatherFacts, isVisible } from "../referrals/request-facts.ts";
import { addShownCritical } from "../referrals/shown-critical.ts";
import { addDelayed } from "../referrals/tell-delayed.ts";
import type { UnitNumber } from "../referrals/unit-number.ts";
import { partOf, partsOf, type UnitPart } from "../referrals/unit-parts.ts";
import type { Shop } from "../shops/shop.ts";
import { mayInvite } from "./invitation-rules.ts";
import { type Access, accessOf, accessTo } from "./link-access.ts";
import type { Opening } from "./link-purpose.ts";
import type { Ports } from "./ports.ts";
import {
  isBeforeCollection,
  type Preparation,
  preparationOf,
  preparationSteps,
} from "./preparation.ts";
import type { Tenant } from "./tenant.ts";
import {
  concerns,
  isBuyer,
  isOwner,
  nextRequestsOf,
  requestsOf,
  type Viewer,
  type ViewerScope,
} from "./viewer.ts";
import {
  ALONE,
  NOBODY,
  type NumberedTest,
  type ToldNumber,
  type WhoseTest,
  whoseTests,
} from "./whose-test.ts";

/** One test as its shopper sees it (sandbox.md, section 4). */
export interface CustomerRequest {
  id: string;
  orderId: OrderId;
  orderName: string;
  title: string;
  /** First name and initial, for the unit's owner alone; null before the details are given. */
  patientName: string | null;
  /** The number among the tests of the order with this title. */
  unit: UnitNumber;
  /** The number among all tests of the order: what people are told. */
  inOrder: ToldNumber;
  /** How often the unit was ordered again before: a first order is 0. */
  replacement: number;
  state: CustomerState;
  nextStep: string;
  /** Numbers in the next step, as the shop wrote them. */
  phones: string[];
  /** Whether a result of it is to be opened today, or rung about: it then stands out. */
  isForToday: boolean;
  /** The words of the next step that say so. */
  today?: string;
  documents: CustomerDocument[];
  /** The result that is shown first. */
  resultId?: string;
  /** The two parts of a unit that has two referrals, each with its own state and result; otherwise none. */
  parts: UnitPart[];
  /** Whether the form must ask for a Medicare card. */
  needsMedicare: boolean;
  /** Whether details that were given can still be corrected. */
  canCorrect: boolean;
  /** Whether staff decide about it, so that its forms wait. */
  needsDecision: boolean;
  /** Statuses of its referrals, as the service wrote them. */
  statuses: string[];
  /** The buyer's own details, offered to the buyer alone while details are still asked for. */
  prefill: Prefill | null;
  /** Whether the unit can be sent to its patient now. */
  canHandOver: boolean;
  /** For the buyer of a unit that was handed to its patient: all that the buyer still learns of it. */
  handOver: HandOver | null;
  /** The notice that is read and agreed to before details are given or changed; null while they cannot be. */
  notice: CollectionNotice | null;
  /** How the patient prepares for the collection; null when there is nothing to say of it, or not any more. */
  preparation: Preparation | null;
  /** The parts that the viewer may open by the way they came. */
  access: Record<Opening, Access>;
}

export interface CustomerDocument {
  id: string;
  kind: DocumentKind;
  version: number;
  partial: boolean;
  /** The referral of two that the document belongs to; null where the unit has one. */
  part: ReferralPart | null;
  /** The result that a report belongs to. */
  resultId?: string;
}

export interface HandOver {
  /** done: the patient has given the details. What follows is nobody's business but the patient's. */
  state: "sent" | "claimed" | "done";
  canTakeBack: boolean;
}

export interface Prefill {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  address: Record<string, string | null> | null;
}

/** All requests that the visitor bought or holds, newest order first. */
export async function listCustomerRequests(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, viewer }: ViewerScope,
): Promise<CustomerRequest[]> {
  return tenancy.inShop(shop, async (tenant) =>
    viewsOf(tenant, viewer, await requestsOf(tenant, viewer)),
  );
}

/** A page of the same list, and the request behind which the next page begins; null on the last one. */
export async function pageOfCustomerRequests(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, viewer, after }: ViewerScope & { after: string | null },
): Promise<{ requests: CustomerRequest[]; next: string | null }> {
  return tenancy.inShop(shop, async (tenant) => {
    const { requests, next } = await nextRequestsOf(tenant, viewer, after);
    return { requests: await viewsOf(tenant, viewer, requests), next };
  });
}

/** One request of this visitor; null when it is somebody else's or nobody's. */
export async function findCustomerRequest(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, viewer, requestId }: ViewerScope & { requestId: string },
): Promise<CustomerRequest | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (!request || !concerns(request, viewer)) return null;
    const [view = null] = await viewsOf(tenant, viewer, [request]);
    return view;
  });
}

/** Requests that concern the viewer, as far as they are shown. */
async function viewsOf(
  tenant: Tenant,
  viewer: Viewer,
  requests: ReferralRequest[],
): Promise<CustomerRequest[]> {
  const [names, settings, gathered] = await together(
    () => tenant.orders.namesOf([...new Set(requests.map((r) => r.orderId))]),
    () => tenant.shops.find(),
    () => gatherFacts(tenant, requests),
  );
  const known = await awaitCorrection(tenant, gathered);
  const told = await addDelayed(tenant, await addAskedToRing(tenant, known, settings));
  const facts = await addShownCritical(tenant, told);
  const whose = await whoseTests(
    tenant,
    requests,
    viewer.kind === "customer" ? "account" : "order",
  );
  const shown = facts.filter((one) => isShown(one) && !isErased(one));
  const preparing = shown.filter(
    (one) =>
      isOwner(one.request, viewer) &&
      isBeforeCollection({ state: customerState(one), parts: partsOf(one) }),
  );
  const steps = await preparationSteps(
    tenant,
    preparing.map(({ request }) => request),
  );
  const views: CustomerRequest[] = [];
  for (const one of shown) {
    const name = names.get(one.request.orderId) ?? "";
    const person = whose.get(one.request.id) ?? NOBODY;
    const { replacement } = person;
    const patientName = namesNobody(viewer) ? null : person.patientName;
    if (isOwner(one.request, viewer)) {
      const held = await heldView(tenant, one, { name, viewer, settings });
      const preparation = preparationOf(held, {
        steps: steps.get(one.request.id) ?? null,
        finder: settings?.collectionFinder ?? null,
      });
      views.push({
        ...held,
        preparation,
        ...numbersForOwner(one.request, person),
        patientName,
        replacement,
      });
    } else
      views.push({
        ...(await invitedView(tenant, one.request, { name, viewer })),
        patientName: null,
        unit: person.alike,
        inOrder: person.inOrder,
        replacement,
      });
  }
  return views;
}

/**
 * Whether nothing is left of a test with results, because its data was destroyed: nothing more comes of it either. An account has lost
 * it, and a guest's order has it still.
 */
const isErased = ({ request: { state, cancellation, redactedAt } }: RequestFacts): boolean =>
  state === "created" && cancellation === null && redactedAt !== null;

/** A patient who did not buy the order is not told how many tests it has. */
const numbersForOwner = ({ owner }: ReferralRequest, { unit, alike }: NumberedTest) => ({
  unit: owner === "buyer" ? alike : ALONE,
  inOrder: unit,
});

/** Staff can copy a link for the status: it names nobody before the mailed code shows that its owner has it. */
const namesNobody = (viewer: Viewer): boolean =>
  viewer.kind !== "customer" &&
  viewer.link.purpose === "status" &&
  viewer.link.steppedUpAt === null;

async function heldView(
  tenant: Tenant,
  facts: RequestFacts,
  { name, viewer, settings }: { name: string; viewer: Viewer; settings: Shop | null },
): Promise<Omit<CustomerRequest, "preparation" | keyof WhoseTest | "inOrder">> {
  const view = viewOf(facts, name, viewer);
  const asks = view.state === "awaiting_details" || view.canCorrect;
  const { shop } = tenant;
  const { owner } = facts.request;
  const notice =
    asks && settings
      ? collectionNotice({ ...settings, shop, shopName: settings.name, owner })
      : null;
  return { ...view, notice, prefill: await prefillFor(tenant, facts, viewer) };
}

function viewOf(
  facts: RequestFacts,
  orderName: string,
  viewer: Viewer,
): Omit<CustomerRequest, "prefill" | "notice" | "preparation" | keyof WhoseTest | "inOrder"> {
  const { request } = facts;
  const state = customerState(facts);
  const released = request.state === "cancelled" ? undefined : resultToOffer(facts, state);
  const parts = partsOf(facts);
  const hasBothForms = parts.length > 1 && parts.every((part) => part.state === "form_ready");
  const today = todayOf(facts, state);
  return {
    id: request.id,
    orderId: request.orderId,
    orderName,
    title: request.title,
    state,
    nextStep: nextStepOf(facts, state, { hasBothForms }),
    phones: facts.toRing ? phonesToRing(facts.toRing.contact) : [],
    isForToday: isForToday(facts, state),
    ...(today === null ? {} : { today }),
    documents: documentsOf(facts, state),
    ...(released ? { resultId: released.uuid } : {}),
    parts,
    needsMedicare: request.items.medicareTests.length > 0,
    canHandOver: isBuyer(request, viewer) && mayInvite(request),
    handOver: null,
    access: accessTo(viewer, request),
    statuses: statusesOf(facts),
    needsDecision: needsDecision(request),
    canCorrect: isUnsent(request)
      ? request.hasPatient && !["awaiting_details", "cancelled"].includes(request.state)
      : mayCorrect(request, facts.referrals),
  };
}

/** It is time for the form, or for the reports: that comes first. */
function documentsOf(facts: RequestFacts, state: CustomerState): CustomerDocument[] {
  const first = state === "form_ready" ? "referral" : "result";
  return facts.documents
    .filter((document) => isVisible(document, facts))
    .toSorted((a, b) => Number(b.kind === first) - Number(a.kind === first))
    .map(({ id, kind, version, partial, sourceUuid }) => {
      const own = { id, kind, version, partial };
      if (kind === "referral") return { ...own, part: partOf(facts, sourceUuid) };
      const result = facts.results.find(({ uuid }) => uuid === sourceUuid);
      const part = result ? partOf(facts, result.referralUuid) : null;
      return { ...own, part, resultId: sourceUuid };
    });
}

/** Shows the buyer of an invited patient's unit that it was bought, and that somebody has it. */
async function invitedView(
  tenant: Tenant,
  request: ReferralRequest,
  { name: orderName, viewer }: { name: string; viewer: Viewer },
): Promise<Omit<CustomerRequest, keyof WhoseTest | "inOrder">> {
  const { id, orderId, title, acceptedAt } = request;
  const state = request.state === "cancelled" ? "cancelled" : "handed_over";
  const progress = acceptedAt === null ? "sent" : request.hasPatient ? "done" : "claimed";
  const access = accessTo(viewer, request);
  const canTakeBack = acceptedAt === null && isUnsent(request);
  // The buyer typed it, maybe mistyped it, and can still cancel.
  const isTheirs = canTakeBack && access.details === "granted";
  const sentTo = isTheirs ? await tenant.requests.invitedEmailOf(id) : null;
  const isUndelivered = sentTo !== null && request.mailRefusedAt !== null;
  const isLost = acceptedAt === null && (await isPatientLost(tenant, request));
  const stepOfSent = isUndelivered
    ? undeliveredInvitation(sentTo)
    : invitationStep(progress, sentTo);
  const step = isLost ? LOST_INVITATION : stepOfSent;
  return {
    id,
    orderId,
    orderName,
    title,
    state,
    nextStep: state === "cancelled" ? NEXT_STEPS.cancelled : step,
    phones: [],
    isForToday: false,
    documents: [],
    parts: [],
    needsMedicare: false,
    notice: null,
    prefill: null,
    preparation: null,
    canCorrect: false,
    needsDecision: false,
    statuses: [],
    canHandOver: mayInvite(request),
    access,
    handOver: { state: progress, canTakeBack },
  };
}

async function prefillFor(
  tenant: Tenant,
  { request }: RequestFacts,
  viewer: Viewer,
): Promise<Prefill | null> {
  // The patient of a handed-over unit is no buyer: the buyer's address is not theirs to see.
  if (request.state !== "awaiting_details" || !isBuyer(request, viewer)) return null;
  if (accessOf(viewer, request, "details") !== "granted") return null;
  const buyer = await tenant.orders.buyerOf(request.orderId);
  if (!buyer) return null;
  const { firstName, lastName, email, phone, address } = buyer;
  // Collections are in Australia only; WA is also Washington.
  const isHere = address !== null && /^(AU)?$/.test(address.country);
  return { firstName, lastName, email, phone, address: isHere ? { ...address } : null };
}
