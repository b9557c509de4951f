import { unitName } from "../../../extensions/shared/unit-name.ts";
import { customerWords } from "../../modules/access/customer-words.ts";
import { endVisits } from "../../modules/access/end-visits.ts";
import { listAccesses } from "../../modules/access/list-accesses.ts";
import { listConsents } from "../../modules/access/list-consents.ts";
import { listCustomerRequests } from "../../modules/access/list-requests.ts";
import { ERASURE_EFFECTS } from "../../modules/privacy/data-version.ts";
import { eraseOwnData, previewErasure } from "../../modules/privacy/erase-own-data.ts";
import { hideOwnResults } from "../../modules/privacy/hide-own-results.ts";
import { presentCustomerRequest } from "../customer-interface/present-request.ts";
import { agreedPage } from "./agreed-page.tsx";
import { type Answer, type Call, unitOf } from "./call.ts";
import { dataPage, erasePage, visitWords } from "./data-page.tsx";
import { messagePage, notFoundPage } from "./message-pages.tsx";
import { nameEach } from "./name-each.ts";

/** Shows who opened or changed the visitor’s data, and what they may do about it. */
export async function showData({ ports, viewerScope, context }: Call): Answer {
  const units = (await listCustomerRequests(ports, viewerScope)).map(presentCustomerRequest);
  const accesses = nameEach(await listAccesses(ports, viewerScope), units);
  const hasAccount = viewerScope.viewer.kind === "customer";
  return dataPage({ units, accesses, hasAccount }, context);
}

/** Shows the texts that the visitor agreed to, word for word. */
export async function showConsents({ ports, viewerScope, context }: Call): Answer {
  const units = await listCustomerRequests(ports, viewerScope);
  return agreedPage(nameEach(await listConsents(ports, viewerScope), units), context);
}

/** Ends every visit that a mailed link let in, this one included. People with an account stay in it, and read so. */
export async function endAllVisits({ ports, viewerScope, context }: Call): Answer {
  await endVisits(ports, viewerScope);
  const hasAccount = viewerScope.viewer.kind === "customer";
  const back = hasAccount ? context.base : undefined;
  return messagePage(`${visitWords(hasAccount)}.ended`, { back });
}

/** Shows what erasing one test would do, before anything is erased; and again where it would do something else by now. */
export async function showErasure(call: Call, { isChanged = false } = {}): Answer {
  const { ports, viewerScope, context, id } = call;
  const found = await previewErasure(ports, { ...viewerScope, requestId: id });
  const unit = found && (await unitOf(call));
  if (!found || !unit) return notFoundPage(context.base);
  const title = unitName(unit, customerWords);
  const { effect, request } = found;
  const isHidden = request.resultsHiddenAt !== null;
  return erasePage({ id, title, effect, isHidden, isChanged }, context);
}

/** Hides the results of a test from everybody, or shows them again. Pressed twice, it is done already. */
export async function hideResults(call: Call, hide: boolean): Answer {
  const { ports, viewerScope, context, id } = call;
  const isDone = await hideOwnResults(ports, { ...viewerScope, requestId: id, hide });
  if (!isDone && !(await isDoneAlready(call, hide))) return notFoundPage(context.base);
  return messagePage(hide ? "data.hidden" : "data.shown", { back: context.base });
}

async function isDoneAlready(call: Call, hide: boolean): Promise<boolean> {
  const unit = await unitOf(call);
  if (!unit || unit.handOver) return false;
  if (hide) return unit.state === "results_hidden";
  return unit.resultId !== undefined || unit.state === "in_review";
}

/** Erases the details and results of one test, or says why it cannot. */
export async function eraseData(call: Call): Answer {
  const { ports, viewerScope, context, id, form } = call;
  // A page of an earlier version says nothing of what it showed.
  const seen = ERASURE_EFFECTS.find((effect) => effect === form.get("seen")) ?? null;
  const outcome = await eraseOwnData(ports, { ...viewerScope, requestId: id, seen });
  if (outcome.kind === "changed_meanwhile") return showErasure(call, { isChanged: true });
  if (outcome.kind === "not_found") return notFoundPage(context.base);
  const { viewer } = viewerScope;
  // The visits by links to this test have ended with its data: nothing is left to go back to.
  const isOver = viewer.kind !== "customer" && viewer.link.requestId === id;
  return messagePage(`data.${outcome.kind}`, isOver ? {} : { back: context.base });
}
