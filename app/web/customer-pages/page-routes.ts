import { stateOfAnswered } from "../../modules/access/answered-link.ts";
import { askForLink } from "../../modules/access/ask-for-link.ts";
import { keepLateAnswers, keepSignedOutAnswers } from "../../modules/access/keep-answers.ts";
import { LinkRefused } from "../../modules/access/link-access.ts";
import { pageOfCustomerRequests } from "../../modules/access/list-requests.ts";
import type { CustomerId, ShopDomain } from "../../modules/kernel/ids.ts";
import { readUuid } from "../../modules/kernel/ids.ts";
import { equalSecrets } from "../../modules/kernel/secret.ts";
import { presentCustomerRequest } from "../customer-interface/present-request.ts";
import type { Answer, Call } from "./call.ts";
import {
  endAllVisits,
  eraseData,
  hideResults,
  showConsents,
  showData,
  showErasure,
} from "./data-routes.ts";
import { answersToKeep, saveDetails, showDetails, showTypedAgain } from "./details-routes.ts";
import { CANCELLED, cancelInvitation, sendToPatient, showInvitation } from "./invitation-routes.ts";
import { cancelledPage, documentAwayPage, messagePage, notFoundPage } from "./message-pages.tsx";
import type { Page } from "./page.tsx";
import { FORM_TOKEN, type PageContext } from "./page-context.ts";
import { goTo } from "./page-response.tsx";
import { readDetailsForm } from "./read-details-form.ts";
import { addShare, showResult, showShares, stopShare } from "./result-routes.ts";
import { deleteSaved, showDeleteSaved, showSaved } from "./saved-routes.ts";
import { showCode, takeCode } from "./step-up-routes.ts";
import { SAVED_EDITS, unitsPage } from "./units-page.tsx";

/** Where a patient's form is, and is sent to. */
const DETAILS = "requests/:id/details";

/**
 * Every address below a visitor's place, by method. All of them are for somebody who was recognised; each asks
 * its use case whether this visitor may.
 */
export const SITE: { method: "GET" | "POST"; path: string; answer: (call: Call) => Answer }[] = [
  { method: "GET", path: "", answer: showUnits },
  { method: "GET", path: DETAILS, answer: showDetails },
  { method: "POST", path: DETAILS, answer: saveDetails },
  { method: "GET", path: "requests/:id/hand-over", answer: showInvitation },
  { method: "POST", path: "requests/:id/hand-over", answer: sendToPatient },
  { method: "POST", path: "requests/:id/take-back", answer: cancelInvitation },
  { method: "POST", path: "requests/:id/link", answer: mailLink },
  { method: "GET", path: "documents/:id", answer: openDocument },
  { method: "GET", path: "documents/:id/code", answer: (call) => showCode(call) },
  { method: "POST", path: "documents/:id/code", answer: takeCode },
  { method: "GET", path: "data", answer: showData },
  { method: "GET", path: "agreed", answer: showConsents },
  { method: "GET", path: "saved", answer: showSaved },
  { method: "GET", path: "saved/:id/delete", answer: showDeleteSaved },
  { method: "POST", path: "saved/:id/delete", answer: deleteSaved },
  { method: "POST", path: "data/visits", answer: endAllVisits },
  { method: "GET", path: "export", answer: ({ openExport }) => openExport() },
  { method: "GET", path: "export/code", answer: (call) => showCode(call) },
  { method: "POST", path: "export/code", answer: takeCode },
  { method: "GET", path: "requests/:id/erase", answer: (call) => showErasure(call) },
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
    const isForeign = method === "POST" && !isOurs(form, context);
    const answer = isForeign ? notOurs(route.path, request) : route.answer;
    return answer({ ...call, id: found.id, form }).catch(refusedBy(call));
  }
  return notFoundPage(context.base);
}

/**
 * Does nothing that a form asks for which is not ours. A patient's details are shown again as they were typed, and not lost, unless the
 * browser says that another site sent them: the patient would take its words for their own.
 */
const notOurs = (path: string, { headers }: Request): ((call: Call) => Answer) =>
  path === DETAILS && headers.get("sec-fetch-site") !== "cross-site"
    ? showTypedAgain
    : async ({ context }) =>
        messagePage("and_here.foreign_form", { status: 403, back: context.base });

/**
 * Answers a visitor whose link does not open this: results need the mailed code first, a link that has done its work says so,
 * and anything else needs another link.
 */
const refusedBy =
  ({
    ports,
    viewerScope,
    context,
    path,
  }: Pick<Call, "ports" | "viewerScope" | "context" | "path">) =>
  async (error: unknown): Promise<Page | Response> => {
    if (!(error instanceof LinkRefused)) throw error;
    const { base } = context;
    if (error.code === "step_up_required") return goTo(`${base}/${path}/code`);
    const [details, other] = [DETAILS, "requests/:id/hand-over"].map((one) => match(one, path));
    const requestId = (details ?? other)?.id;
    const state = requestId && (await stateOfAnswered(ports, { ...viewerScope, requestId }));
    if (!state) return messagePage("link.other_purpose", { status: 403, back: base });
    if (state === "cancelled") return cancelledPage(context);
    const why = details ? "and_here.given" : "and_here.hand_over_late";
    return messagePage(why, { status: 409, back: base });
  };

/**
 * Keeps the answers of a patient form that is sent after its session ended. Returns whether they are kept: not those of
 * another form, of another site, or of a session that somebody ended.
 */
export async function keepLateForm(
  call: Pick<Call, "ports" | "request" | "path" | "context"> & { shop: ShopDomain; secret: string },
): Promise<boolean> {
  const { ports, request, path, context, shop, secret } = call;
  const found = match(DETAILS, path);
  if (!found) return false;
  const form = await readForm(request);
  if (!isOurs(form, context)) return false;
  const answers = answersToKeep(readDetailsForm(form), request);
  return keepLateAnswers(ports, { shop, secret, requestId: found.id, answers });
}

/** The same for a customer who is not signed in to the shop any more. `formTokenOf`: what a form of this customer's carries. */
export async function keepSignedOutForm(
  call: Pick<Call, "ports" | "request" | "path"> & {
    shop: ShopDomain;
    formTokenOf: (customerId: CustomerId) => string;
  },
): Promise<boolean> {
  const { ports, request, path, shop, formTokenOf } = call;
  const found = request.method === "POST" && match(DETAILS, path);
  if (!found) return false;
  const form = await readForm(request);
  const answers = answersToKeep(readDetailsForm(form), request);
  const isTheirs = (customerId: CustomerId) => hasToken(form, formTokenOf(customerId));
  return keepSignedOutAnswers(ports, { shop, requestId: found.id, answers, isTheirs });
}

async function readForm(request: Request): Promise<FormData> {
  // A body that is no form lacks every field, and is answered like a form that was left empty.
  return request.formData().catch(() => new FormData());
}

/** A form of another site cannot know what ours carries. */
const isOurs = (form: FormData, { formToken }: PageContext): boolean => hasToken(form, formToken);

function hasToken(form: FormData, expected: string): boolean {
  const given = form.get(FORM_TOKEN);
  return typeof given === "string" && equalSecrets(given, expected);
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
    const uuid = readUuid(given[index]);
    if (!uuid) return null;
    id = uuid;
  }
  return { id };
}

async function showUnits({ ports, viewerScope, context, request }: Call): Answer {
  const query = new URL(request.url).searchParams;
  const after = readUuid(query.get("after")) ?? null;
  const { requests, next } = await pageOfCustomerRequests(ports, { ...viewerScope, after });
  const hasAccount = viewerScope.viewer.kind === "customer";
  const edit = SAVED_EDITS.find((one) => one === query.get("edit")) ?? null;
  const isInvitationCancelled = query.has(CANCELLED);
  const told = { saved: query.get("saved"), edit, isInvitationCancelled, next, hasAccount };
  return unitsPage(requests.map(presentCustomerRequest), context, told);
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
  try {
    return (await open(id)) ?? notFoundPage(context.base);
  } catch (error) {
    return documentAwayPage(error, context.base);
  }
}
