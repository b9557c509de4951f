import { z } from "zod";
import { startingValues } from "../../../extensions/shared/patient-fields.ts";
import { askForLink } from "../../modules/access/ask-for-link.ts";
import { invitePatient, revokeInvitation } from "../../modules/access/invite-patient.ts";
import { LinkRefused } from "../../modules/access/link-access.ts";
import {
  type CustomerRequest,
  findCustomerRequest,
  listCustomerRequests,
} from "../../modules/access/list-requests.ts";
import { openResult } from "../../modules/access/open-result.ts";
import { ownDetails } from "../../modules/access/own-details.ts";
import { savePatientDetails } from "../../modules/access/save-patient-details.ts";
import { equalSecrets } from "../../modules/kernel/secret.ts";
import { presentCustomerRequest } from "../customer-interface/present-request.ts";
import type { Call } from "./call.ts";
import { detailsPage } from "./details-page.tsx";
import { invitationPage, whoPage } from "./invitation-page.tsx";
import { messagePage, notFoundPage } from "./message-pages.tsx";
import type { Page } from "./page.tsx";
import { goTo } from "./page-response.tsx";
import { FORM_TOKEN, type Place } from "./place.ts";
import { detailsToSave, faultsOf, readDetailsForm } from "./read-details-form.ts";
import { resultPage } from "./result-page.tsx";
import { showCode, takeCode } from "./step-up-site.ts";
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
  { method: "GET", path: "results/:id", answer: showResult },
  { method: "GET", path: "results/:id/code", answer: (call) => showCode(call) },
  { method: "POST", path: "results/:id/code", answer: takeCode },
];

/** Answers a recognised visitor's call: a page still to be dressed, or a whole response. */
export async function visitSite(call: Omit<Call, "id" | "form">): Promise<Page | Response> {
  const { request, path, place } = call;
  const method = request.method === "HEAD" ? "GET" : request.method;
  for (const route of SITE) {
    const found = match(route.path, path);
    if (route.method !== method || !found) continue;
    const form = method === "POST" ? await readForm(request) : new FormData();
    if (method === "POST" && !isOurs(form, place))
      return messagePage("and_here.foreign_form", { status: 403, back: place.base });
    return route.answer({ ...call, id: found.id, form }).catch(refusedBy(call));
  }
  return notFoundPage(place.base);
}

/** What the visitor's link does not open: results need the mailed code first, anything else another link. */
const refusedBy =
  ({ place, path }: Pick<Call, "place" | "path">) =>
  (error: unknown): Page | Response => {
    if (!(error instanceof LinkRefused)) throw error;
    if (error.code === "step_up_required") return goTo(`${place.base}/${path}/code`);
    return messagePage("link.other_purpose", { status: 403, back: place.base });
  };

async function readForm(request: Request): Promise<FormData> {
  // A body that is no form lacks every field, and is answered like a form that was left empty.
  return request.formData().catch(() => new FormData());
}

/** A form of another site cannot know what ours carries. */
function isOurs(form: FormData, place: Place): boolean {
  const given = form.get(FORM_TOKEN);
  return typeof given === "string" && equalSecrets(given, place.formToken);
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

async function showUnits({ ports, visitor, place, request }: Call): Answer {
  const units = await listCustomerRequests(ports, visitor);
  const saved = new URL(request.url).searchParams.has("saved");
  return unitsPage(units.map(presentCustomerRequest), place, { saved });
}

const unitOf = ({ ports, visitor, id }: Call) =>
  findCustomerRequest(ports, { ...visitor, requestId: id });

async function showDetails(call: Call): Answer {
  const { place, request } = call;
  const unit = await unitOf(call);
  if (!unit || unit.handOver) return notFoundPage(place.base);
  if (unit.access.details !== "granted") throw new LinkRefused("other_purpose");
  if (unit.state !== "awaiting_details") return showCorrection(call, unit);
  const who = new URL(request.url).searchParams.get("who");
  if (unit.canHandOver && !who) return whoPage(unit, place);
  const { title, needsMedicare, notice } = unit;
  const values = startingValues(who === "me" ? prefillOf(unit.prefill) : null);
  const form = { title, values, errors: {}, others: [], needsMedicare, notice, status: 200 };
  return detailsPage(form, place);
}

async function showCorrection(
  { ports, visitor, place, id }: Call,
  { title, needsMedicare, notice, canCorrect }: CustomerRequest,
): Answer {
  const given = canCorrect && (await ownDetails(ports, { ...visitor, requestId: id }));
  if (!given) return messagePage("and_here.too_late", { status: 409, back: place.base });
  const values = startingValues(given);
  const form = { title, values, errors: {}, others: [], needsMedicare, notice, status: 200 };
  return detailsPage({ ...form, corrects: true }, place);
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
  const { ports, visitor, place, id, form } = call;
  const unit = await unitOf(call);
  if (!unit || unit.handOver) return notFoundPage(place.base);
  const { title, needsMedicare, notice } = unit;
  const values = readDetailsForm(form);
  const details = detailsToSave(values, needsMedicare);
  const outcome = await savePatientDetails(ports, { ...visitor, requestId: id, details });
  switch (outcome.kind) {
    case "saved":
      return goTo(`${place.base}?saved`);
    case "invalid": {
      const faults = faultsOf(outcome.errors, needsMedicare);
      const corrects = unit.state !== "awaiting_details";
      const asked = { title, values, ...faults, needsMedicare, notice, status: 422, corrects };
      return detailsPage(asked, place);
    }
    case "not_found":
      return notFoundPage(place.base);
    case "too_late":
      return messagePage("and_here.too_late", { status: 409, back: place.base });
  }
}

async function showInvitation(call: Call): Answer {
  const unit = await unitOf(call);
  if (!unit) return notFoundPage(call.place.base);
  if (unit.access.details !== "granted") throw new LinkRefused("other_purpose");
  if (!unit.canHandOver) return invitationLatePage(call.place);
  return invitationPage({ ...unit, email: "", error: null, status: 200 }, call.place);
}

const invitationLatePage = ({ base }: Place) =>
  messagePage("and_here.hand_over_late", { status: 409, back: base });

async function sendToPatient(call: Call): Answer {
  const { ports, visitor, place, id, form } = call;
  const unit = await unitOf(call);
  const typed = form.get("email");
  const email = typeof typed === "string" ? typed.slice(0, 500) : "";
  const outcome = await invitePatient(ports, { ...visitor, requestId: id, email });
  switch (outcome.kind) {
    case "handed_over":
      return goTo(place.base);
    case "invalid": {
      const error = outcome.errors[0]?.message ?? "";
      return unit
        ? invitationPage({ ...unit, email, error, status: 422 }, place)
        : notFoundPage(place.base);
    }
    case "not_found":
      return notFoundPage(place.base);
    case "too_late":
      return invitationLatePage(place);
    case "too_often":
      return messagePage("and_here.too_often", { status: 429, back: place.base });
  }
}

async function takeUnitBack({ ports, visitor, place, id }: Call): Answer {
  const outcome = await revokeInvitation(ports, { ...visitor, requestId: id });
  switch (outcome.kind) {
    case "taken_back":
      return goTo(place.base);
    case "not_found":
      return notFoundPage(place.base);
    case "too_late":
      return invitationLatePage(place);
  }
}

/** Mails the visitor a link for what their own does not open. */
async function mailLink({ ports, visitor, place, id, form }: Call): Answer {
  const wanted = form.get("for") === "correction" ? "correction" : "next";
  const outcome = await askForLink(ports, { ...visitor, requestId: id }, wanted);
  switch (outcome) {
    case "queued":
      return messagePage("link.mailed", { back: place.base });
    case "too_often":
      return messagePage("link.too_often", { status: 429, back: place.base });
    case "not_found":
      return notFoundPage(place.base);
  }
}

async function openDocument({ openDocument: open, place, id }: Call): Answer {
  return (await open(id)) ?? notFoundPage(place.base);
}

async function showResult({ ports, visitor, place, id }: Call): Answer {
  const result = await openResult(ports, { ...visitor, resultId: id });
  if (!result) return notFoundPage(place.base);
  const units = await listCustomerRequests(ports, visitor);
  const documents = units
    .flatMap((unit) => unit.documents)
    .filter(({ resultId }) => resultId === id)
    .map((document) => ({ id: document.id, name: documentName(document) }));
  return resultPage(result, place, documents);
}
