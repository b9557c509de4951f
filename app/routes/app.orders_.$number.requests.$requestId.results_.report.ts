import { type ActionFunctionArgs, data } from "@remix-run/node";
import { z } from "zod";
import { fileNotAllowed } from "../components/feedback/not-allowed.server.ts";
import { readForm } from "../components/form/read-form.server.ts";
import { uuidSchema } from "../modules/kernel/ids.ts";
import { openStaffAccess } from "../modules/privacy/open-staff-access.ts";
import { openStaffReport } from "../modules/privacy/open-staff-report.ts";
import { pdfResponse } from "../web/customer-interface/pdf-response.ts";
import { readTarget } from "./app.orders_.$number.requests.$requestId.results/target.ts";

/** A reviewer takes the report out of the list of held results, which says why by itself. */
const form = z.object({ documentId: uuidSchema, reason: z.literal("review").optional() });

/**
 * POST /app/orders/{number}/requests/{id}/results/report: the laboratory's report, for staff who said why they have to see
 * the results. A POST, because it is recorded. 403 for a role that may not, 404 when there is none or nobody said why.
 */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const target = readTarget(params);
  const wish = form.safeParse(Object.fromEntries(await readForm(request)));
  if (!target || !wish.success) throw data(null, { status: 404 });
  const { documentId, reason } = wish.data;
  const { ports } = context.app;
  if (reason) {
    const look = { shop, actor, ...target, reason, caseNumber: null };
    const opened = await openStaffAccess(ports, look);
    if (opened.kind === "not_allowed") return fileNotAllowed(opened);
  }
  const opened = await openStaffReport(ports, { shop, actor, ...target, documentId });
  if (opened.kind === "not_allowed") return fileNotAllowed(opened);
  if (opened.kind === "not_found") throw data(null, { status: 404 });
  return pdfResponse(opened.document);
}
