import { z } from "zod";
import { startingValues } from "../../../extensions/shared/patient-fields.ts";
import { unitName } from "../../../extensions/shared/unit-name.ts";
import { askForLink } from "../../modules/access/ask-for-link.ts";
import { customerWords } from "../../modules/access/customer-words.ts";
import { endVisits } from "../../modules/access/end-visits.ts";
import { invitePatient, revokeInvitation } from "../../modules/access/invite-patient.ts";
import { keepAnswers, keepLateAnswers, keptAnswers } from "../../modules/access/keep-answers.ts";
import { LinkRefused } from "../../modules/access/link-access.ts";
import { listAccesses } from "../../modules/access/list-accesses.ts";
import { listConsents } from "../../modules/access/list-consents.ts";
import {
  type CustomerRequest,
  findCustomerRequest,
  listCustomerRequests,
  pageOfCustomerRequests,
} from "../../modules/access/list-requests.ts";
import { openResult } from "../../modules/access/open-result.ts";
import { ownDetails } from "../../modules/access/own-details.ts";
import { savePatientDetails } from "../../modules/access/save-patient-details.ts";
import { endShare, listShares, shareResult } from "../../modules/access/share-result.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import { equalSecrets } from "../../modules/kernel/secret.ts";
import { eraseOwnData, previewErasure } from "../../modules/privacy/erase-own-data.ts";
import { hideOwnResults } from "../../modules/privacy/hide-own-results.ts";
import { presentCustomerRequest } from "../customer-interface/present-request.ts";
import { presentShare } from "../customer-interface/present-share.ts";
import { agreedPage } from "./agreed-page.tsx";
import type { Call } from "./call.ts";
import { dataPage, erasePage } from "./data-page.tsx";
import { detailsPage } from "./details-page.tsx";
import { invitationPage, whoPage } from "./invitation-page.tsx";
import { messagePage, notFoundPage } from "./message-pages.tsx";
import { nameEach } from "./name-each.ts";
import type { Page } from "./page.tsx";
import { FORM_TOKEN, type PageContext } from "./page-context.ts";
import { goTo } from "./page-response.tsx";
import {
  answersOf,
  detailsToSave,
  faultsOf,
  readDetailsForm,
  valuesOf,
} from "./read-details-form.ts";
import { resultPage } from "./result-page.tsx";
import { sharesPage } from "./share-page.tsx";
import { showCode, takeCode } from "./step-up-routes.ts";
import { documentName, unitsPage } from "./units-page.tsx";

type Answer = Promise<Page | Response>;

/**
 * Every address below a visitor's place, by method. All of them are for somebody who was recognised; each asks
 * its use case whether this visitor may.
 */
export const SITE: { method: "GET" | "POST"; path: string; answer: (call: Call) => Answer }[] = [
  { method: "GET", path: "", answer: showUnits },
  { method: "GET", path: "requests/:id/details", answer: showDetails },
  { method: "POST", path: "requests/:id/details", answer: saveDetails },
  { method: "GET", path: "requests/:id/hand-over", answer: showInvitation },
  { method: "POST", path: "requests/:id/hand-over", answer: sendToPatient },
  { method: "POST", path: "requests/:id/take-back", answer: takeUnitBack },
  { method: "POST", path: "requests/:id/link", answer: mailLink },
  { method: "GET", path: "documents/:id", answer: openDocument },
  { method: "GET", path: "documents/:id/code", answer: (call) => showCode(call) },
  { method: "POST", path: "documents/:id/code", answer: takeCode },
  { method: "GET", path: "data", answer: showData },
  { method: "GET", path: "agreed", answer: showConsents },
  { method: "POST", path: "data/visits", answer: endAllVisits },
  { method: "GET", path: "export", answer: ({ openExport }) => openExport() },
  { method: "GET", path: "export/code", answer: (call) => showCode(call) },
  { method: "POST", path: "export/code", answer: takeCode },
  { method: "GET", path: "requests/:id/erase", answer: showErasure },
  { method: "POST", path: "requests/:id/erase", answer: eraseData },
  { method: "GET", path: "requests/:id/erase/code", answer: (call) => showCode(call) },
  { method: "POST", path: "requests/:id/erase/code", answer: takeCode },
  { method: "POST", path: "requests/:id/hide", answer: (call) => hideResults(call, true) },
  { method: "POST", path: "requests/:id/show", answer: (call) => hideResults(call, false) },
  { method: "GET", path: "results/:id", answer: showResult },
  { method: "GET", path: "results/:id/shares", answer: (call) => showShares(call) },
  { method: "POST", path: "results/:id/shares", answer: addShare },
  { method: "GET", path: "results/:id/shares/code", answer: (call) => showCode(call) },
  { method: "POST", path: "results/:id/shares/code", answer: takeCode },
  { method: "POST", path: "shares/:id/end", answer: stopShare },
  { method: "GET", path: "results/:id/code", answer: (call) => showCode(call) },
  { method: "POST", path: "results/:id/code", answer: takeCode },
];

/** Answers a recognised viewerScope's call: a page still to be dressed, or a whole response. */
export async function answerCustomerPage(
  call: Omit<Call, "id" | "form">,
): Promise<Page | Response> {
  const { request, path, context } = call;
  const method = request.method === "HEAD" ? "GET" : request.method;
  for (const route of SITE) {
    const found = match(route.path, path);
    if (route.method !== method || !found) continue;
    const form = method === "POST" ? await readForm(request) : new FormData();
    if (method === "POST" && !isOurs(form, context))
      return messagePage("and_here.foreign_form", { status: 403, back: context.base });
    return route.answer({ ...call, id: found.id, form }).catch(refusedBy(call));
  }
  return notFoundPage(context.base);
}

/**
 * Answers a visitor whose link does not open this: results need the mailed code first, anything else another link.
 */
const refusedBy =
  ({ context, path }: Pick<Call, "context" | "path">) =>
  (error: unknown): Page | Response => {
    if (!(error instanceof LinkRefused)) throw error;
    if (error.code === "step_up_required") return goTo(`${context.base}/${path}/code`);
    return messagePage("link.other_purpose", { status: 403, back: context.base });
  };

/**
 * Keeps the answers of a patient form that is sent after its session ended. Returns whether they are kept: not those of
 * another form, of another site, or of a session that somebody ended.
 */
export async function keepLateForm(
  call: Pick<Call, "ports" | "request" | "path" | "context"> & { shop: ShopDomain; secret: string },
): Promise<boolean> {
  const { ports, request, path, context, shop, secret } = call;
  const found = match("requests/:id/details", path);
  if (!found) return false;
  const form = await readForm(request);
  if (!isOurs(form, context)) return false;
  const answers = { ...answersOf(readDetailsForm(form)), [WHO]: whoOf(request) };
  return keepLateAnswers(ports, { shop, secret, requestId: found.id, answers });
}

async function readForm(request: Request): Promise<FormData> {
  // A body that is no form lacks every field, and is answered like a form that was left empty.
  return request.formData().catch(() => new FormData());
}

/** A form of another site cannot know what ours carries. */
function isOurs(form: FormData, context: PageContext): boolean {
  const given = form.get(FORM_TOKEN);
  return typeof given === "string" && equalSecrets(given, context.formToken);
}

function match(pattern: string, path: string): { id: string } | null {
  const expected = pattern.split("/");
  const given = path.replace(/\/$/, "").split("/");
  if (expected.length !== given.length) return null;
  let id = "";
  for (const [index, part] of expected.entries()) {
    if (part !== ":id") {
      if (part !== given[index]) return null;
      continue;
    }
    const uuid = z.uuid().safeParse(given[index]).data;
    if (!uuid) return null;
    id = uuid;
  }
  return { id };
}

async function showUnits({ ports, viewerScope, context, request }: Call): Answer {
  const query = new URL(request.url).searchParams;
  const after = z.uuid().safeParse(query.get("after")).data ?? null;
  const { requests, next } = await pageOfCustomerRequests(ports, { ...viewerScope, after });
  const saved = query.has("saved");
  return unitsPage(requests.map(presentCustomerRequest), context, { saved, next });
}

async function showData({ ports, viewerScope, context }: Call): Answer {
  const units = (await listCustomerRequests(ports, viewerScope)).map(presentCustomerRequest);
  const accesses = nameEach(await listAccesses(ports, viewerScope), units);
  return dataPage({ units, accesses }, context);
}

async function showConsents({ ports, viewerScope, context }: Call): Answer {
  const units = await listCustomerRequests(ports, viewerScope);
  return agreedPage(nameEach(await listConsents(ports, viewerScope), units), context);
}

async function endAllVisits({ ports, viewerScope }: Call): Answer {
  await endVisits(ports, viewerScope);
  return messagePage("data.ended");
}

async function showErasure(call: Call): Answer {
  const { ports, viewerScope, context, id } = call;
  const found = await previewErasure(ports, { ...viewerScope, requestId: id });
  const unit = found && (await unitOf(call));
  if (!found || !unit) return notFoundPage(context.base);
  const title = unitName(unit, customerWords);
  const { effect, request } = found;
  return erasePage({ id, title, effect, isHidden: request.resultsHiddenAt !== null }, context);
}

async function hideResults({ ports, viewerScope, context, id }: Call, hide: boolean): Answer {
  const isDone = await hideOwnResults(ports, { ...viewerScope, requestId: id, hide });
  if (!isDone) return notFoundPage(context.base);
  return messagePage(hide ? "data.hidden" : "data.shown", { back: context.base });
}

async function eraseData({ ports, viewerScope, context, id }: Call): Answer {
  const outcome = await eraseOwnData(ports, { ...viewerScope, requestId: id });
  if (outcome.kind === "not_found") return notFoundPage(context.base);
  return messagePage(`data.${outcome.kind}`, { back: context.base });
}

const unitOf = ({ ports, viewerScope, id }: Call) =>
  findCustomerRequest(ports, { ...viewerScope, requestId: id });

async function showDetails(call: Call): Answer {
  const { context, request } = call;
  const unit = await unitOf(call);
  if (!unit || unit.handOver) return notFoundPage(context.base);
  if (unit.access.details !== "granted") throw new LinkRefused("other_purpose");
  if (unit.state !== "awaiting_details") return showCorrection(call, unit);
  const who = new URL(request.url).searchParams.get("who");
  const title = unitName(unit, customerWords);
  if (unit.canHandOver && !who) return whoPage({ ...unit, title }, context);
  const { needsMedicare, notice } = unit;
  const kept = await keptValues(call);
  const values = kept ?? startingValues(who === "me" ? prefillOf(unit.prefill) : null);
  const form = { title, values, errors: {}, others: [], needsMedicare, notice, status: 200 };
  return detailsPage({ ...form, isKept: kept !== null }, context);
}

/** What the visitor typed on an earlier visit; null without. */
async function keptValues({ ports, viewerScope, id, request }: Call) {
  const answers = await keptAnswers(ports, { ...viewerScope, requestId: id });
  // One person's answers do not become another's because the same buyer types both.
  return answers && answers[WHO] === whoOf(request) ? valuesOf(answers) : null;
}

const WHO = "who";
const whoOf = ({ url }: Request) => new URL(url).searchParams.get("who") ?? "";

async function showCorrection(call: Call, unit: CustomerRequest): Answer {
  const { ports, viewerScope, context, id } = call;
  const { needsMedicare, notice } = unit;
  const given = unit.canCorrect && (await ownDetails(ports, { ...viewerScope, requestId: id }));
  if (!given) return messagePage("and_here.too_late", { status: 409, back: context.base });
  const kept = await keptValues(call);
  const values = kept ?? startingValues(given);
  const title = unitName(unit, customerWords);
  const form = { title, values, errors: {}, others: [], needsMedicare, notice, status: 200 };
  return detailsPage({ ...form, corrects: true, isKept: kept !== null }, context);
}

type UnitPrefill = NonNullable<Awaited<ReturnType<typeof unitOf>>>["prefill"];

function prefillOf(prefill: UnitPrefill) {
  if (!prefill) return null;
  const { address } = prefill;
  const line = (name: string) => address?.[name] ?? null;
  return {
    ...prefill,
    address: address && {
      addressLine1: line("addressLine1"),
      addressLine2: line("addressLine2"),
      city: line("city"),
      state: line("state"),
      postCode: line("postCode"),
    },
  };
}

async function saveDetails(call: Call): Answer {
  const { ports, viewerScope, context, id, form } = call;
  const unit = await unitOf(call);
  if (!unit || unit.handOver) return notFoundPage(context.base);
  const { needsMedicare, notice } = unit;
  const title = unitName(unit, customerWords);
  const values = readDetailsForm(form);
  const details = detailsToSave(values, needsMedicare);
  const outcome = await savePatientDetails(ports, { ...viewerScope, requestId: id, details });
  switch (outcome.kind) {
    case "saved":
      return goTo(`${context.base}?saved`);
    case "invalid": {
      // The session may end before the faults are mended.
      const answers = { ...answersOf(values), [WHO]: whoOf(call.request) };
      await keepAnswers(ports, { ...viewerScope, requestId: id, answers });
      const faults = faultsOf(outcome.errors, needsMedicare);
      const corrects = unit.state !== "awaiting_details";
      const asked = { title, values, ...faults, needsMedicare, notice, status: 422, corrects };
      return detailsPage(asked, context);
    }
    case "not_found":
      return notFoundPage(context.base);
    case "too_late":
      return messagePage("and_here.too_late", { status: 409, back: context.base });
  }
}

const named = (unit: CustomerRequest) => ({ ...unit, title: unitName(unit, customerWords) });

async function showInvitation(call: Call): Answer {
  const unit = await unitOf(call);
  if (!unit) return notFoundPage(call.context.base);
  if (unit.access.details !== "granted") throw new LinkRefused("other_purpose");
  if (!unit.canHandOver) return invitationLatePage(call.context);
  return invitationPage({ ...named(unit), email: "", error: null, status: 200 }, call.context);
}

const invitationLatePage = ({ base }: PageContext) =>
  messagePage("and_here.hand_over_late", { status: 409, back: base });

async function sendToPatient(call: Call): Answer {
  const { ports, viewerScope, context, id, form } = call;
  const unit = await unitOf(call);
  const typed = form.get("email");
  const email = typeof typed === "string" ? typed.slice(0, 500) : "";
  const outcome = await invitePatient(ports, { ...viewerScope, requestId: id, email });
  switch (outcome.kind) {
    case "handed_over":
      return goTo(context.base);
    case "invalid": {
      const error = outcome.errors[0]?.message ?? "";
      return unit
        ? invitationPage({ ...named(unit), email, error, status: 422 }, context)
        : notFoundPage(context.base);
    }
    case "not_found":
      return notFoundPage(context.base);
    case "too_late":
      return invitationLatePage(context);
    case "too_often":
      return messagePage("and_here.too_often", { status: 429, back: context.base });
  }
}

async function takeUnitBack({ ports, viewerScope, context, id }: Call): Answer {
  const outcome = await revokeInvitation(ports, { ...viewerScope, requestId: id });
  switch (outcome.kind) {
    case "taken_back":
      return goTo(context.base);
    case "not_found":
      return notFoundPage(context.base);
    case "too_late":
      return invitationLatePage(context);
  }
}

/** Mails the visitor a link for what their own does not open. */
async function mailLink({ ports, viewerScope, context, id, form }: Call): Answer {
  const wanted = form.get("for") === "correction" ? "correction" : "next";
  const outcome = await askForLink(ports, { ...viewerScope, requestId: id }, wanted);
  switch (outcome) {
    case "queued":
      return messagePage("link.mailed", { back: context.base });
    case "too_often":
      return messagePage("link.too_often", { status: 429, back: context.base });
    case "not_found":
      return notFoundPage(context.base);
  }
}

async function openDocument({ openDocument: open, context, id }: Call): Answer {
  return (await open(id)) ?? notFoundPage(context.base);
}

async function showShares(call: Call, fault: "invalid" | "too_many" | null = null): Answer {
  const { ports, viewerScope, context, id } = call;
  const units = await listCustomerRequests(ports, viewerScope);
  const unit = units.find(
    ({ resultId, parts }) => resultId === id || parts.some((part) => part.resultId === id),
  );
  if (!unit) return notFoundPage(context.base);
  if (unit.access.results !== "granted") throw new LinkRefused(unit.access.results);
  const own = await listShares(ports, { ...viewerScope, resultId: id });
  const shares = own.map((share) => presentShare(share, { ...viewerScope, ...ports }));
  const title = unitName(unit, customerWords);
  return sharesPage({ resultId: id, title, shares, fault }, context);
}

async function addShare(call: Call): Answer {
  const { ports, viewerScope, context, id, form } = call;
  const days = Number(form.get("days") ?? Number.NaN);
  const { kind } = await shareResult(ports, { ...viewerScope, resultId: id, days });
  if (kind === "not_found") return notFoundPage(context.base);
  return kind === "shared" ? goTo(`${context.base}/results/${id}/shares`) : showShares(call, kind);
}

async function stopShare({ ports, viewerScope, context, id, form }: Call): Answer {
  const ended = await endShare(ports, { ...viewerScope, shareId: id });
  const resultId = z.uuid().safeParse(form.get("result")).data;
  if (!ended || !resultId) return notFoundPage(context.base);
  return goTo(`${context.base}/results/${resultId}/shares`);
}

async function showResult({ ports, viewerScope, context, id }: Call): Answer {
  const result = await openResult(ports, { ...viewerScope, resultId: id });
  if (!result) return notFoundPage(context.base);
  const units = await listCustomerRequests(ports, viewerScope);
  const documents = units
    .flatMap((unit) => unit.documents)
    .filter(({ resultId }) => resultId === id)
    .map((document) => ({ id: document.id, name: documentName(document) }));
  return resultPage(result, context, documents);
}
