import { createReadableStreamFromReadable, type LoaderFunctionArgs } from "@remix-run/node";
import { fileNotAllowed } from "../components/feedback/not-allowed.server.ts";
import { exportOrders, startExport } from "../modules/reports/export-orders.ts";
import { readSelection } from "../modules/reports/selection-text.ts";
import { exportCsv } from "./app.referrals/export-csv.server.ts";

/** The orders of a selection as CSV, streamed. Ids, dates and states, who bought and what: nothing of a patient, nothing clinical. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const refused = await startExport(context.app.ports, { shop, actor });
  if (refused) return fileNotAllowed(refused);
  const selection = readSelection(new URL(request.url).searchParams);
  const csv = exportCsv(exportOrders(context.app.ports, { shop, selection }));
  return new Response(createReadableStreamFromReadable(csv), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="pathway-orders.csv"',
      "Cache-Control": "no-store",
    },
  });
}
