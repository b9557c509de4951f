import { unitName } from "../../../extensions/shared/unit-name.ts";
import { customerWords } from "../../modules/access/customer-words.ts";
import { LinkRefused } from "../../modules/access/link-access.ts";
import { findCustomerRequest, listCustomerRequests } from "../../modules/access/list-requests.ts";
import { openResult } from "../../modules/access/open-result.ts";
import { requestOfResult } from "../../modules/access/request-of-result.ts";
import { endShare, listShares, shareResult } from "../../modules/access/share-result.ts";
import { readUuid } from "../../modules/kernel/ids.ts";
import { presentShare } from "../customer-interface/present-share.ts";
import type { Answer, Call } from "./call.ts";
import { notFoundPage } from "./message-pages.tsx";
import { goTo } from "./page-response.tsx";
import { resultPage } from "./result-page.tsx";
import { SHARE_FIELD, sharesPage } from "./share-page.tsx";
import { documentName } from "./units-page.tsx";

/** Says in an address what became of a link just now. */
const TOLD = ["made", "ended"] as const;

/** Shows the links by which a result is shared, with who opened them. */
export async function showShares(call: Call, fault: "invalid" | "too_many" | null = null): Answer {
  const { ports, viewerScope, context, id } = call;
  const unit = await unitOfResult(call, id);
  if (!unit) return notFoundPage(context.base);
  if (unit.access.results !== "granted") throw new LinkRefused(unit.access.results);
  const own = await listShares(ports, { ...viewerScope, resultId: id });
  const shares = own.map((share) => presentShare(share, { ...viewerScope, ...ports }));
  const title = unitName(unit, customerWords);
  const { searchParams } = new URL(call.request.url);
  const told = TOLD.find((one) => searchParams.has(one)) ?? null;
  return sharesPage({ resultId: id, title, shares, fault, told }, context);
}

/** The visitor’s own unit that a result belongs to; undefined without. */
async function unitOfResult({ ports, viewerScope }: Call, id: string) {
  const requestId = await requestOfResult(ports, { ...viewerScope, resultId: id });
  return requestId === null ? undefined : findCustomerRequest(ports, { ...viewerScope, requestId });
}

/** Makes a link to one result for a doctor, under the id that its form was given: one, however often it is pressed. */
export async function addShare(call: Call): Answer {
  const { ports, viewerScope, context, id: resultId, form } = call;
  const days = Number(form.get("days") ?? Number.NaN);
  const id = readUuid(form.get(SHARE_FIELD));
  const { kind } = await shareResult(ports, { ...viewerScope, resultId, days, id });
  switch (kind) {
    case "shared":
    case "made_before":
      return goTo(`${context.base}/results/${resultId}/shares?made=1`);
    case "not_found":
      return notFoundPage(context.base);
    case "invalid":
    case "too_many":
      return showShares(call, kind);
  }
}

/** Ends a link of the visitor’s own at once. Pressed twice, or after its end, it is gone from the page of its result. */
export async function stopShare(call: Call): Answer {
  const { ports, viewerScope, context, id, form } = call;
  const ended = await endShare(ports, { ...viewerScope, shareId: id });
  const resultId = readUuid(form.get("result"));
  if (!resultId) return notFoundPage(context.base);
  const isTheirs = ended || (await unitOfResult(call, resultId))?.access.results === "granted";
  if (!isTheirs) return notFoundPage(context.base);
  return goTo(`${context.base}/results/${resultId}/shares?ended=1`);
}

/** Shows a result with its report. The look is recorded. */
export async function showResult({ ports, viewerScope, context, id }: Call): Answer {
  const result = await openResult(ports, { ...viewerScope, resultId: id });
  if (!result) return notFoundPage(context.base);
  const units = await listCustomerRequests(ports, viewerScope);
  const documents = units
    .flatMap((unit) => unit.documents)
    .filter(({ resultId }) => resultId === id)
    .map((document) => ({ id: document.id, name: documentName(document) }));
  return resultPage(result, context, documents);
}
