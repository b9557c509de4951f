import { z } from "zod";
import { whole } from "./fields.ts";
import { parseJson } from "./json.ts";

/** One page of a list (interface §2.6, §4.7). */
export interface Page<T> {
  entries: T[];
  /** To be passed on for the next page; null when the service gave none. */
  cursor: string | null;
  /** Page size the service says it used; null when it did not say. */
  count: number | null;
  resultCount: number;
}

const cursorFields = z.object({
  cursor: z.string().nullish(),
  count: whole.nullish(),
  resultCount: whole.nullish(),
});

export type Entry = Record<string, unknown>;

const CURSOR_OBJECT = /"cursor"\s*:\s*(\{[^{}]*\})/;

/**
 * Guesses the next page's cursor from a page's text without reading the rest; null when the text does not look as in
 * §2.6. An entry might hold something that looks the same.
 */
export function likelyCursor(text: string): Omit<Page<unknown>, "entries"> | null {
  const { data } = cursorFields.safeParse(parseJson(CURSOR_OBJECT.exec(text)?.[1] ?? ""));
  if (!data?.cursor || typeof data.resultCount !== "number") return null;
  return { cursor: data.cursor, count: data.count ?? null, resultCount: data.resultCount };
}

/**
 * Schema of a page whose entries are left as they came. The interface does not show under which key results come
 * (§4.3), so the entries are the only array with an object that looks right; two such arrays, or none on a page that claims
 * entries, are refused.
 */
export function rawPageSchema(looksRight: (candidate: Entry) => boolean): z.ZodType<Page<unknown>> {
  return z.custom<Entry>(isRecord).transform((body, context) => {
    const { data } = cursorFields.safeParse(cursorObjectOf(body) ?? body);
    // An error has an empty list too, at whatever status it comes (§7.1), and is no empty page. A page may say that it is none.
    const { errorList: _, ...said } = body;
    const arrays = Object.values(said).filter((value) => Array.isArray(value));
    const entries = entriesAmong(arrays, looksRight, data?.resultCount);
    if (body.error || !data || !entries || !isBelievable(entries, data.resultCount, arrays)) {
      context.addIssue({ code: "custom", message: "not a page of this list" });
      return z.NEVER;
    }
    return {
      entries,
      cursor: data.cursor || null,
      count: data.count ?? null,
      // A scan that ends counts as complete, and lets a referral be sent again: a count ends none among entries that it denies.
      resultCount: Math.max(data.resultCount ?? 0, entries.length),
    };
  });
}

/**
 * The same with every entry read. One unreadable entry refuses the page: skipping it could hide the very referral that
 * somebody looks for.
 */
export function pageSchema<T>(
  entry: z.ZodType<T>,
  looksRight: (candidate: Entry) => boolean,
): z.ZodType<Page<T>> {
  return rawPageSchema(looksRight).pipe(
    z.object({
      entries: z.array(entry),
      cursor: z.string().nullable(),
      count: z.int().nullable(),
      resultCount: z.int(),
    }),
  );
}

/**
 * The object with the fields of §2.6: `cursor` where it is shown, and under another name where "cursor metadata" is all that is said
 * (§4.3). A walk that overlooks it ends with its first page.
 */
function cursorObjectOf(body: Entry): Entry | undefined {
  if (isRecord(body.cursor)) return body.cursor;
  const near = Object.values(body).filter(isRecord);
  const all = [...near, ...near.flatMap((one) => Object.values(one).filter(isRecord))];
  return all.find((one) => typeof one.cursor === "string" && "resultCount" in one);
}

/**
 * The only array with an entry that looks right; null when there are several. When none looks right, the only array if it
 * has as many entries as the page says (§2.6): nobody can read any of them. Empty otherwise.
 */
function entriesAmong(
  arrays: unknown[][],
  looksRight: (candidate: Entry) => boolean,
  resultCount: number | null | undefined,
): unknown[] | null {
  const matching = arrays.filter((entries) =>
    entries.some((entry) => isRecord(entry) && looksRight(entry)),
  );
  if (matching.length > 0) return matching.length > 1 ? null : (matching[0] ?? null);
  const [only, ...others] = arrays;
  return only && others.length === 0 && only.length === resultCount ? only : [];
}

/**
 * An empty page ends a scan, and a scan that ended without finding a referral lets it be sent again. So
 * "empty" has to be said: by a count of 0, or, without a count, by an empty array and no other.
 */
function isBelievable(
  entries: unknown[],
  resultCount: number | null | undefined,
  arrays: unknown[][],
): boolean {
  if (entries.length > 0) return true;
  if (typeof resultCount === "number") return resultCount === 0;
  return arrays.length === 1 && arrays[0]?.length === 0;
}

function isRecord(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
