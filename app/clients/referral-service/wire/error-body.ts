import { z } from "zod";
import { parseJson } from "./json.ts";

/**
 * Interface §7.1 and §7.4: every part may be missing. A code goes into error messages and logs, so only what
 * looks like one passes: a service that repeats what it was sent must not write it there.
 */
const errorBody = z.object({
  error: z.unknown().optional(),
  code: z
    .union([z.string(), z.int()])
    .transform(String)
    .pipe(z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/))
    .nullish()
    .catch(null)
    .transform((code) => code ?? null),
  message: z
    .string()
    .nullish()
    .catch(null)
    .transform((message) => message ?? ""),
  errorList: z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((list) => (list ?? []).map((entry) => textOf(entry))),
});

export type ErrorBody = z.infer<typeof errorBody>;

/** The error body of an answer, or null when it is no JSON object. */
export function readErrorBody(text: string): ErrorBody | null {
  const json = parseJson(text);
  const parsed = json === undefined ? undefined : errorBody.safeParse(json);
  return parsed?.success ? parsed.data : null;
}

/** Whether the service wrote it. Gateways write bodies too, in which a code is a number and an error a text. */
export const isServices = ({ error, code }: ErrorBody): boolean =>
  error === true || (code !== null && /\D/.test(code));

function textOf(entry: unknown): string {
  return typeof entry === "string" ? entry : JSON.stringify(entry);
}
