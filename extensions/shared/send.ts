import { failed, failureOf, type Outcome, readFieldErrors } from "./failure.ts";

/** Longer than the app's own limit for a request, so that its answer arrives first. */
const TIMEOUT_MS = 20_000;

export interface Call<T> {
  address: string;
  method?: "GET" | "PUT" | "POST" | "DELETE";
  body?: unknown;
  /** A fresh token for each call: they live for minutes only. */
  token: () => Promise<string | null>;
  /** Besides the answer it gets the query of the next page, where the app tells one. */
  read: (answer: unknown, path: string, next: string | null) => T;
}

/** The query of the next page, in the header that lists have. */
const NEXT = /<(\?[^>]*)>; rel="next"/;

/**
 * The one way from an extension to the app: bearer token, time limit, and an answer that is either read or a failure
 * with words. Never throws. The limit holds for the token too, which the account fetches over the same line. It does without
 * `AbortSignal.timeout`, which old phones lack: an answer that comes too late is nobody's.
 */
export const send = <T>(call: Call<T>): Promise<Outcome<T>> =>
  Promise.race([
    ask(call),
    new Promise<Outcome<T>>((resolve) => {
      setTimeout(() => resolve(failed("offline")), TIMEOUT_MS);
    }),
  ]);

async function ask<T>({
  address,
  method = "GET",
  body,
  token,
  read,
}: Call<T>): Promise<Outcome<T>> {
  let response: Response;
  try {
    const bearer = await token();
    if (!bearer) return failed("signed_out");
    response = await fetch(address, {
      method,
      headers: {
        Accept: "application/json",
        Authorization: `Bearer ${bearer}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      // Undefined where there is none.
      body: JSON.stringify(body),
    });
  } catch {
    return failed("offline");
  }
  // Read to its end whatever it says, or the connection stays in use. A proxy answers in HTML: its status says enough.
  const answer: unknown = await response.json().catch(() => null);
  try {
    if (response.status === 422)
      return { ok: false, failure: { kind: "invalid", ...readFieldErrors(answer, "") } };
    if (!response.ok) return failureOf(response.status, answer);
    return {
      ok: true,
      value: read(answer, "", NEXT.exec(response.headers.get("link") ?? "")?.[1] ?? null),
    };
  } catch {
    return failed("unavailable");
  }
}
