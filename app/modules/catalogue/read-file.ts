import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";
import { COLUMNS, type Column } from "./columns.ts";

/** One line of a mapping file: what its cells say, "" for a column that is not there. */
export interface FileRow {
  /** From 1, the head included. */
  line: number;
  cells: Record<Column, string>;
  /** The columns that the file has. A text without a column stays as it is. */
  columns: ReadonlySet<Column>;
}

/** The shape of csv-parse's records with `info`. */
const recordsSchema = z.array(
  z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }),
);

export type FileReading =
  | { kind: "read"; rows: FileRow[] }
  | { kind: "unreadable"; message: string };

export const MAX_BYTES = 5 * 1024 * 1024;
const MAX_LINES = 20_000;
/** Twice as many columns as the file has: what is taken apart holds the process meanwhile, cell by cell. */
const MAX_CELLS = 24 * MAX_LINES;

/**
 * Reads a mapping file: UTF-8 or UTF-16 with or without a mark, else Windows-1252 as Excel saves it; comma,
 * semicolon or tab; columns in any order, their names in any case; columns we do not know are left alone.
 */
export function readMappingFile(bytes: Uint8Array): FileReading {
  if (bytes.length > MAX_BYTES)
    return {
      kind: "unreadable",
      message: "The file is larger than 5 MB. Split it into smaller files.",
    };
  // A file that went through two programs may have two marks, and a quotation mark behind one stands where it can't.
  const text = decode(bytes).replace(/^\uFEFF+/, "");
  if (text.includes("\u0000"))
    return { kind: "unreadable", message: "This isn’t a CSV file. Save the sheet as CSV first." };
  const [head = ""] = text.split(/\r\n|\r|\n/, 1);
  if (head.trim() === "")
    return { kind: "unreadable", message: "The file is empty. Choose another file." };
  const delimiter = separatorOf(head);
  if (isMoreThan(MAX_CELLS, text, delimiter))
    return {
      kind: "unreadable",
      message:
        "The file has too many columns. Keep those of the exported file, or split it into smaller files.",
    };
  try {
    const records: unknown = parse(text, {
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
      to: MAX_LINES + 2,
      record_delimiter: ["\r\n", "\n", "\r"],
    });
    return readRecords(recordsSchema.parse(records));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === "number" ? ` near line ${error.lines}` : "";
    return {
      kind: "unreadable",
      message: `The file can’t be read${line}: a quotation mark is open or stands where it can’t. Export the mappings again and start from that file.`,
    };
  }
}

function readRecords(records: { record: string[]; info: { lines: number } }[]): FileReading {
  const [head, ...body] = records;
  const names = (head?.record ?? []).map((name) =>
    name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_"),
  );
  const places = new Map<Column, number>();
  for (const column of COLUMNS) {
    const at = names.indexOf(column);
    if (at >= 0) places.set(column, at);
    if (at >= 0 && names.indexOf(column, at + 1) >= 0)
      return {
        kind: "unreadable",
        message: `The column “${column}” is there twice. Remove one of them.`,
      };
  }
  if (!places.has("variant_id") && !places.has("sku"))
    return {
      kind: "unreadable",
      message:
        "The first line must name the columns, with variant_id or sku among them. Export the mappings to see how.",
    };
  if (body.length > MAX_LINES)
    return {
      kind: "unreadable",
      message: "The file has more than 20,000 lines. Split it into smaller files.",
    };
  const columns = new Set(places.keys());
  const rows = body.map(({ record, info }) => {
    const cell = (column: Column) => clean(record[places.get(column) ?? -1] ?? "");
    const cells = Object.fromEntries(COLUMNS.map((column) => [column, cell(column)]));
    // A cell with line breaks ends on a later line than it begins.
    const breaks = record.reduce((sum, text) => sum + (text.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
    return { line: info.lines - breaks, cells: cells as Record<Column, string>, columns };
  });
  return { kind: "read", rows };
}

/** Without the apostrophe that keeps a spreadsheet from seeing a formula, in signs of full width as well (`csvOf`). */
const clean = (text: string) => text.trim().replace(/^'(?=[=+\-@\t\r＝＋－＠])/, "");

/** Whether a sign stands in a text more often than so many times. */
function isMoreThan(limit: number, text: string, sign: string): boolean {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1))
    if (++count > limit) return true;
  return false;
}

function separatorOf(head: string): string {
  const count = (sign: string) => head.split(sign).length;
  return [",", ";", "\t"].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // It is no UTF-8: older spreadsheets write this.
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
