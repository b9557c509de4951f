import type { z } from "zod";
import { ReferralServiceError } from "../../../platform/errors.ts";
import { idsIn } from "./ids-in.ts";
import { parseJson } from "./json.ts";

/**
 * Reads a successful answer's text by its schema. Throws ReferralServiceError `contract_mismatch` that names
 * the places which did not fit, never their content.
 */
export function readWire<T>(schema: z.ZodType<T>, text: string, label: string): T {
  const json = parseJson(text);
  if (json === undefined) {
    throw new ReferralServiceError("contract_mismatch", `${label}: the answer is not JSON`);
  }
  return readParsed(schema, json, label);
}

/** The same for what has been read from an answer already. */
export function readParsed<T>(schema: z.ZodType<T>, json: unknown, label: string): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new ReferralServiceError("contract_mismatch", `${label}: ${placesOf(parsed.error)}`, {
    ids: idsIn(json),
  });
}

/** The places that did not fit, and how; never their content. */
export function placesOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.map(String).join(".") || "(whole)"} ${issue.code}`)
    .join("; ");
}

/** Reads entries one by one: one that cannot be read keeps nobody from reading the others. */
export function readEach<T>(
  schema: z.ZodType<T>,
  entries: readonly unknown[],
): { read: T[]; unread: { entry: unknown; field: string }[] } {
  const read: T[] = [];
  const unread: { entry: unknown; field: string }[] = [];
  for (const entry of entries) {
    const parsed = schema.safeParse(entry);
    if (parsed.success) read.push(parsed.data);
    else unread.push({ entry, field: placesOf(parsed.error) });
  }
  return { read, unread };
}
