import { z } from "zod";
import type { Page, PageRequest } from "../storage/page.ts";
import { invalidParameter } from "./api-error.ts";

/** Page size limit and default (interface §8). */
const maxPageSize = 20;

/** The cursor object of interface §2.6. */
export interface CursorAnswer {
  cursor: string;
  count: number;
  resultCount: number;
}

const position = z.tuple([z.string(), z.enum(["asc", "desc"]), z.number().int().nullable()]);

function encode(list: string, sort: "asc" | "desc", seq: number | null): string {
  return Buffer.from(JSON.stringify([list, sort, seq])).toString("base64url");
}

function decode(cursor: string): z.infer<typeof position> {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    throw invalidParameter("cursor is not one that this service gave out");
  }
}

/**
 * Reads count, cursor and sort (interface §4.2 list, §4.7). A cursor remembers its list and sort
 * order, so a following request may leave `sort` out.
 *
 * Throws ApiError 400 INVALID_PARAMETER.
 */
export function readPageRequest(query: URLSearchParams, list: string): PageRequest {
  const countText = query.get("count") ?? String(maxPageSize);
  const count = /^\d{1,4}$/.test(countText) ? Number(countText) : Number.NaN;
  if (!(count >= 1 && count <= maxPageSize)) {
    throw invalidParameter(`count must be a whole number from 1 to ${maxPageSize}`);
  }
  const sort = query.get("sort");
  if (sort !== null && sort !== "asc" && sort !== "desc") {
    throw invalidParameter("sort must be asc or desc");
  }
  const cursor = query.get("cursor");
  if (cursor === null || cursor === "") return { sort: sort ?? "asc", count, afterSeq: null };
  const [cursorList, cursorSort, afterSeq] = decode(cursor);
  if (cursorList !== list) throw invalidParameter("cursor belongs to another list");
  if (sort !== null && sort !== cursorSort) {
    throw invalidParameter("cursor belongs to a list in the other order");
  }
  return { sort: cursorSort, count, afterSeq };
}

/** The cursor object for a page that was read; following it from the last page finds new entries. */
export function cursorAnswer(
  list: string,
  request: PageRequest,
  page: Page<unknown>,
): CursorAnswer {
  return {
    cursor: encode(list, request.sort, page.lastSeq),
    count: request.count,
    resultCount: page.entries.length,
  };
}
