import { type ActionFunctionArgs, data } from "@remix-run/node";
import { fileNotAllowed } from "../components/feedback/not-allowed.server.ts";
import { readForm } from "../components/form/read-form.server.ts";
import { gid } from "../modules/kernel/ids.ts";
import { exportForPatient } from "../modules/privacy/export-for-patient.ts";
import { exportResponse } from "../web/customer-interface/export-response.ts";
import { readPrivacyForm } from "./app.orders_.$number.privacy/privacy-form.ts";

const CHANGED =
  "Nothing was downloaded: the test has changed since this page was opened. Reload the page, and check again who asks.";

/**
 * POST /app/orders/{number}/privacy/file: downloads what is held of one test for the patient who asked the shop. A POST,
 * because it is recorded. 403 for a role that may not, 404 when there is no such test.
 */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const reading = readPrivacyForm(await readForm(request));
  if (reading.kind === "invalid") return Response.json({ errors: reading.errors }, { status: 422 });
  if (!/^\d{1,20}$/.test(params.number ?? "")) throw data(null, { status: 404 });
  const { intent, requestId, caseNumber, seen = null } = reading.value;
  if (intent !== "take") throw data(null, { status: 400 });
  const { ports } = context.app;
  const outcome = await exportForPatient(ports, {
    shop,
    orderId: gid("Order", params.number ?? ""),
    requestId,
    actor,
    caseNumber,
    seen,
  });
  if (outcome.kind === "not_found") throw data(null, { status: 404 });
  if (outcome.kind === "changed_meanwhile")
    return Response.json({ errors: { isChecked: CHANGED } }, { status: 422 });
  if (outcome.kind === "not_allowed") return fileNotAllowed(outcome);
  return exportResponse(outcome.files, ports);
}
