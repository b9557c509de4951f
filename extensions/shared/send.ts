import { failed, failureOfStatus, type Outcome, readFieldErrors } from "./failure.ts";

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
 * with words. Never throws.
 */
export async function send<T>({
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
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    return failed("offline");
  }
  try {
    if (response.status === 422) {
      const refused = readFieldErrors(await response.json(), "");
      return { ok: false, failure: { kind: "invalid", ...refused } };
    }
    if (!response.ok) return failureOfStatus(response.status);
    const answer: unknown = response.status === 204 ? null : await response.json();
    return {
      ok: true,
      value: read(answer, "", NEXT.exec(response.headers.get("link") ?? "")?.[1] ?? null),
    };
  } catch {
    return failed("unavailable");
  }
}
