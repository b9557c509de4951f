import { documentFileName } from "../access/document-file-name.ts";
import { loadDocument, type OpenedDocument, type PlacedDocument } from "../access/open-document.ts";
import { NOBODY, whoseTests } from "../access/whose-test.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Document } from "../referrals/document.ts";
import { accountOf, type ReferralRequest } from "../referrals/request.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import { resultsForStaff } from "./earlier-tests.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

export type StaffReportOutcome =
  | { kind: "opened"; document: OpenedDocument }
  | { kind: "not_found" }
  | NotAllowed;

/**
 * The laboratory's report of a result, released or not, for the member of staff who has an open look at its request.
 * Each time is a line of the access log.
 */
export async function openStaffReport(
  ports: Pick<Ports, "tenancy" | "clock" | "documentBodies">,
  target: {
    shop: ShopDomain;
    orderId: OrderId;
    requestId: string;
    documentId: string;
    actor: Actor;
  },
): Promise<StaffReportOutcome> {
  const { tenancy, clock } = ports;
  const { shop, orderId, requestId, documentId, actor } = target;
  const found = await tenancy.inShop(shop, async (tenant): Promise<FoundReport> => {
    const at = clock.now();
    const request = await tenant.requests.find(requestId);
    if (request?.orderId !== orderId) return { kind: "not_found" };
    const refused = await refuseUnlessAllowed(tenant, actor, "see_results", { at, requestId });
    if (refused) return refused;
    const look = await tenant.staffAccess.open(requestId, actor, at);
    const reports = look ? await reportsForStaff(tenant, request) : [];
    const report = reports.find(({ id }) => id === documentId);
    const body = report && (await tenant.documents.body(report.id));
    if (!look || !body) return { kind: "not_found" };
    await tenant.accessLog.add({
      ...{ at, who: "staff", actor, what: "report_opened", requestId, subjectId: documentId },
      detail: { reason: look.reason },
    });
    const whose = (await whoseTests(tenant, [request])).get(requestId) ?? NOBODY;
    const fileName = documentFileName({ ...report, ...whose });
    return { kind: "found", documentId, fileName, body };
  });
  if (found.kind !== "found") return found;
  const document = await loadDocument(ports, shop, found);
  return document ? { kind: "opened", document } : { kind: "not_found" };
}

type FoundReport =
  | Exclude<StaffReportOutcome, { kind: "opened" }>
  | ({ kind: "found" } & PlacedDocument);

/** Returns the current reports of the results of a request that staff may be shown. */
export async function reportsForStaff(
  tenant: Tenant,
  request: ReferralRequest,
): Promise<Document[]> {
  const shown = new Set((await resultsForStaff(tenant, request)).map(({ uuid }) => uuid));
  const documents = await tenant.documents.forRequests([request.id]);
  return documents.filter(
    ({ kind, sourceUuid, customerId }) =>
      kind === "result" && shown.has(sourceUuid) && customerId === accountOf(request),
  );
}
