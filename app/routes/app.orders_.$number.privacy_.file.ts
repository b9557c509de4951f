import { type ActionFunctionArgs, data } from "@remix-run/node";
import { readForm } from "../components/form/read-form.server.ts";
import { gid } from "../modules/kernel/ids.ts";
import { exportForPatient } from "../modules/privacy/export-for-patient.ts";
import { exportResponse } from "../web/customer-interface/export-response.ts";
import { readPrivacyForm } from "./app.orders_.$number.privacy/privacy-form.ts";

/**
 * POST /app/orders/{number}/privacy/file: downloads what is held of one test for the patient who asked the shop. A POST,
 * because it is recorded. 404 when there is no such test.
 */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop, sessionToken } = await context.merchant(request);
  const reading = readPrivacyForm(await readForm(request));
  if (reading.kind === "invalid") return Response.json({ errors: reading.errors }, { status: 422 });
  if (!/^\d{1,20}$/.test(params.number ?? "")) throw data(null, { status: 404 });
  const { requestId, caseNumber } = reading.value;
  const { ports } = context.app;
  const files = await exportForPatient(ports, {
    shop,
    orderId: gid("Order", params.number ?? ""),
    requestId,
    actor: `staff:${sessionToken?.sub ?? "unknown"}`,
    caseNumber,
  });
  if (!files) throw data(null, { status: 404 });
  return exportResponse(files, ports);
}
