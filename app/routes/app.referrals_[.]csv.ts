import { Readable } from "node:stream";
import { createReadableStreamFromReadable, type LoaderFunctionArgs } from "@remix-run/node";
import { stringify } from "csv-stringify";
import { gidNumber } from "../domain/ids.ts";
import { exportOrders } from "../domain/overview/export-orders.ts";
import type { ExportedRequest } from "../domain/overview/overview-repository.ts";
import { readSelection } from "../domain/overview/selection-text.ts";
import { LANE_NAMES } from "../messages/orders.ts";
import { STAGE_WORDS } from "../messages/stages.ts";

const COLUMNS = [
  "Order",
  "Order ID",
  "Kind",
  "Paid at",
  "Cancelled at",
  "Unit",
  "Generation",
  "Reference number",
  "Referral reference",
  "Status",
  "State",
];

/** The orders of a selection as CSV, streamed. Ids, dates and states: nobody's name, nothing clinical. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const selection = readSelection(new URL(request.url).searchParams);
  async function* rows() {
    for await (const page of exportOrders(context.app.ports, { shop, selection }))
      for (const row of page) yield cellsOf(row);
  }
  const csv = Readable.from(rows()).pipe(
    stringify({ header: true, columns: COLUMNS, bom: true, escape_formulas: true }),
  );
  return new Response(createReadableStreamFromReadable(csv), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="pathway-orders.csv"',
      "Cache-Control": "no-store",
    },
  });
}

function cellsOf(row: ExportedRequest): (string | number)[] {
  return [
    row.orderName,
    gidNumber(row.orderId),
    LANE_NAMES[row.lane],
    row.paidAt.toISOString(),
    row.cancelledAt?.toISOString() ?? "",
    row.unit ?? "",
    row.generation ?? "",
    row.referenceNumber ?? "",
    row.references.join(" "),
    row.stage ? STAGE_WORDS[row.stage].name : "",
    row.state ?? "",
  ];
}
