import { pipeline, type Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { gidNumber } from "../../modules/kernel/ids.ts";
import type { ExportedRequest } from "../../modules/reports/exported-request.ts";
import { CUSTOMER_ERASED, ORDER_MODE_NAMES } from "../../modules/reports/order-words.ts";
import { ERASED, REPLACED } from "../../modules/reports/request-state-words.ts";
import { STAGE_WORDS } from "../../modules/reports/stage-words.ts";

const COLUMNS = [
  "Order",
  "Order ID",
  "Kind",
  "Paid at",
  "Cancelled at",
  "Customer",
  "Email",
  "Product",
  "Unit",
  "Generation",
  "Reference number",
  "Referral reference",
  "Status",
  "State",
];

/**
 * Rows as CSV, page by page. What a spreadsheet would take for a formula is made text, and each text is quoted, since a spreadsheet may
 * take semicolons for separators: order names are a shop's own, a customer's name is anybody's.
 */
export function exportCsv(pages: AsyncIterable<ExportedRequest[]>): Readable {
  async function* rows() {
    for await (const page of pages) for (const row of page) yield cellsOf(row);
  }
  const csv = stringify({
    header: true,
    columns: COLUMNS,
    bom: true,
    escape_formulas: true,
    quoted_string: true,
  });
  // The reader is told that the download broke off. An error that nobody hears would end the process.
  pipeline(rows(), csv, () => {});
  return csv;
}

function cellsOf(row: ExportedRequest): (string | number)[] {
  return [
    row.orderName,
    gidNumber(row.orderId),
    ORDER_MODE_NAMES[row.orderMode],
    row.paidAt.toISOString(),
    row.cancelledAt?.toISOString() ?? "",
    row.isErased ? CUSTOMER_ERASED : (row.customer?.name ?? ""),
    row.customer?.email ?? "",
    row.product,
    row.unit ?? "",
    row.generation ?? "",
    row.referenceNumber ?? "",
    row.references.join(" "),
    stageName(row),
    row.state ?? "",
  ];
}

function stageName({ isReplaced, isTestErased, stage }: ExportedRequest): string {
  if (isReplaced) return REPLACED.name;
  if (isTestErased) return ERASED.name;
  return stage ? STAGE_WORDS[stage].name : "";
}
