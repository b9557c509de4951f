import { Readable } from "node:stream";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { exportMappings } from "../modules/catalogue/export-mappings.ts";
import { readSettings } from "../modules/reports/read-settings.ts";
import { readSelection } from "./app.mappings/selection.ts";

/** Every variant with its mapping, as a CSV file that is written while it is read. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const { ports } = context.app;
  const { environment } = readSelection(new URL(request.url).searchParams);
  const { policies } = await readSettings(ports, shop);
  const pieces = exportMappings(ports, {
    shop,
    environment: environment ?? policies.environment,
  });
  return new Response(createReadableStreamFromReadable(Readable.from(pieces)), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="pathway-mappings.csv"',
      "Cache-Control": "no-store",
    },
  });
}
