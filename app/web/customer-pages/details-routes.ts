import { errorsByField, startingValues } from "../../../extensions/shared/patient-fields.ts";
import { unitName } from "../../../extensions/shared/unit-name.ts";
import { customerWords } from "../../modules/access/customer-words.ts";
import { keepAnswers, keptAnswers } from "../../modules/access/keep-answers.ts";
import { LinkRefused } from "../../modules/access/link-access.ts";
import type { CustomerRequest } from "../../modules/access/list-requests.ts";
import { ownDetails } from "../../modules/access/own-details.ts";
import { savePatientDetails } from "../../modules/access/save-patient-details.ts";
import { type Answer, type Call, unitOf } from "./call.ts";
import { type DetailsForm, detailsPage, NOTICE_FIELD } from "./details-page.tsx";
import { whoPage } from "./invitation-page.tsx";
import { cancelledPage, messagePage, notFoundPage } from "./message-pages.tsx";
import { goTo } from "./page-response.tsx";
import { answersOf, detailsToSave, readDetailsForm, valuesOf } from "./read-details-form.ts";
import { chosenDetails, keepForNextTest, savedChoice } from "./saved-routes.ts";
import type { SavedEdit } from "./units-page.tsx";

/** Shows the form for a person’s details, the question whose test it is, or the form that corrects what was given. */
export async function showDetails(call: Call): Answer {
  const { context, request } = call;
  const unit = await unitOf(call);
  if (!unit || unit.handOver) return notFoundPage(context.base);
  if (unit.access.details !== "granted") throw new LinkRefused("other_purpose");
  if (unit.state !== "awaiting_details") return showCorrection(call, unit);
  const who = new URL(request.url).searchParams.get("who");
  const title = unitName(unit, customerWords);
  if (unit.canHandOver && !who) return whoPage({ ...unit, title }, context);
  const { needsMedicare, notice } = unit;
  const chosen = await chosenDetails(call);
  const kept = chosen ? null : await keptValues(call);
  const offered = chosen ?? (who === "me" ? prefillOf(unit.prefill) : null);
  const values = kept ?? startingValues(offered);
  const form = { title, values, errors: {}, others: [], needsMedicare, notice, status: 200 };
  const saved = await savedChoice(call, { offers: true });
  return detailsPage({ ...form, isKept: kept !== null, saved }, context);
}

/** Reads the answers of an earlier visit; null without. */
async function keptValues({ ports, viewerScope, id, request }: Call) {
  const answers = await keptAnswers(ports, { ...viewerScope, requestId: id });
  // One person's answers do not become another's because the same buyer types both.
  return answers && answers[WHO] === whoOf(request) ? valuesOf(answers) : null;
}

const WHO = "who";
const whoOf = ({ url }: Request) => new URL(url).searchParams.get("who") ?? "";

/** Returns the typed answers, with whose details they are, to be kept for another visit. */
export const answersToKeep = (values: ReturnType<typeof readDetailsForm>, request: Request) => ({
  ...answersOf(values),
  [WHO]: whoOf(request),
});

async function showCorrection(call: Call, unit: CustomerRequest): Answer {
  const { ports, viewerScope, context, id } = call;
  const { needsMedicare, notice } = unit;
  if (unit.needsDecision)
    return messagePage("and_here.paused", { status: 409, back: context.base });
  if (unit.state === "cancelled") return cancelledPage(context);
  const given = unit.canCorrect && (await ownDetails(ports, { ...viewerScope, requestId: id }));
  if (!given) return messagePage("and_here.too_late", { status: 409, back: context.base });
  const kept = await keptValues(call);
  const values = kept ?? startingValues(given);
  const title = unitName(unit, customerWords);
  const form = { title, values, errors: {}, others: [], needsMedicare, notice, status: 200 };
  const saved = await savedChoice(call, { offers: false });
  return detailsPage({ ...form, corrects: true, isKept: kept !== null, saved }, context);
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

/** How a saved edit is told: a new form comes, or the one that is there stays. Nothing for details that were no edit. */
async function toldOfEdit(call: Call, before: CustomerRequest): Promise<SavedEdit | ""> {
  if (before.statuses.length === 0) return "";
  return (await unitOf(call))?.state === "form_ready" ? "unchanged" : "corrected";
}

/** The form once more, with what was typed and why it was not saved. */
async function refusedForm(
  call: Call,
  unit: CustomerRequest,
  refused: Pick<DetailsForm, "values" | "errors" | "others" | "status">,
): Answer {
  const { needsMedicare, notice } = unit;
  const title = unitName(unit, customerWords);
  const corrects = unit.state !== "awaiting_details";
  const saved = await savedChoice(call, { offers: !corrects });
  return detailsPage({ ...refused, title, needsMedicare, notice, corrects, saved }, call.context);
}

/**
 * Shows a form again that does not carry what ours carries, such as one from before the customer signed in anew. It is saved nowhere:
 * whoever typed it looks at it, agrees and saves. Where nothing can be saved at all, the page says why.
 */
export async function showTypedAgain(call: Call): Answer {
  const unit = await unitOf(call);
  if (!unit || unit.handOver || unit.access.details !== "granted") return showDetails(call);
  if (unit.needsDecision || !(unit.state === "awaiting_details" || unit.canCorrect))
    return showDetails(call);
  const values = { ...readDetailsForm(call.form), consent: false };
  const others = [customerWords("and_here.foreign_details")];
  return refusedForm(call, unit, { values, errors: {}, others, status: 403 });
}

/** Saves a form of details. A form with faults comes back with every fault and what was typed. */
export async function saveDetails(call: Call): Answer {
  const { ports, viewerScope, context, id, form } = call;
  const unit = await unitOf(call);
  if (!unit || unit.handOver) return notFoundPage(context.base);
  const { needsMedicare } = unit;
  const values = readDetailsForm(form);
  const typed = answersToKeep(values, call.request);
  const shown = form.get(NOTICE_FIELD);
  const details = { ...detailsToSave(values, needsMedicare), ...(shown && { notice: shown }) };
  const outcome = await savePatientDetails(ports, { ...viewerScope, requestId: id, details });
  switch (outcome.kind) {
    case "saved": {
      const told = await toldOfEdit(call, unit);
      return goTo(`${context.base}?${await keepForNextTest(call)}${told && `&edit=${told}`}`);
    }
    case "invalid": {
      // The session may end before the faults are mended.
      await keepAnswers(ports, { ...viewerScope, requestId: id, answers: typed });
      const faults = errorsByField(outcome.errors, needsMedicare);
      // Somebody who is to read other words ticks the box anew.
      if (faults.errors.consent) values.consent = false;
      return refusedForm(call, unit, { values, ...faults, status: 422 });
    }
    case "not_found":
      return notFoundPage(context.base);
    case "too_late": {
      const { needsDecision, state } = (await unitOf(call)) ?? {};
      if (state === "cancelled") return cancelledPage(context);
      if (needsDecision)
        await keepAnswers(ports, { ...viewerScope, requestId: id, answers: typed });
      const why = needsDecision ? "and_here.paused_kept" : "and_here.too_late";
      return messagePage(why, { status: 409, back: context.base });
    }
  }
}
