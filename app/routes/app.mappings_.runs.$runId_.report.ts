import { Readable } from "node:stream";
import { createReadableStreamFromReadable, data, type LoaderFunctionArgs } from "@remix-run/node";
import { exportReport, findRun } from "../modules/catalogue/read-run.ts";
import { readRunId } from "./app.mappings_.runs.$runId/run-selection.ts";

/** Downloads the outcome of each row of a run, as a CSV file. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const runId = readRunId(params.runId);
  const run = runId && (await findRun(context.app.ports, { shop, runId }));
  if (!run) throw data(null, { status: 404 });
  const pieces = exportReport(context.app.ports, { shop, runId });
  return new Response(createReadableStreamFromReadable(Readable.from(pieces)), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="pathway-report.csv"',
      "Cache-Control": "no-store",
    },
  });
}
