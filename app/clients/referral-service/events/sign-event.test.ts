import { expect, test } from "vitest";
import { signEvent } from "./sign-event.ts";
import { EVENT_SCHEMES, type EventScheme, verifyEvent } from "./verify-event.ts";

const now = new Date("2026-11-20T00:00:00Z");
const body = '{"id":"pathway-self-test-1","type":"referral.self_test"}';

test.each(
  EVENT_SCHEMES.flatMap((scheme) => [
    { scheme, header: null, secret: "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=" },
    { scheme, header: "x-own-signature", secret: "not base64 at all" },
    { scheme, header: "x-signature-of-ours", secret: "not base64 at all" },
  ]),
)("what is signed with $scheme ($header) is verified, and nothing else is", (signing) => {
  const headers = signEvent({ body, eventId: "pathway-self-test-1", signing, now });
  const verify = (text: string, secret = signing.secret) =>
    verifyEvent({
      rawBody: Buffer.from(text),
      headers,
      signing: { scheme: signing.scheme, header: signing.header, secrets: [secret] },
      clock: { now: () => now },
    }).kind;
  expect(verify(body)).toBe("verified");
  if (signing.scheme === "none") return;
  expect(verify(body, "another secret")).toBe("refused");
  if (signing.scheme !== "shared-secret") expect(verify(`${body} `)).toBe("refused");
});

test("signs nothing without a secret, or where nothing is verified", () => {
  const sign = (scheme: EventScheme, secret: string | null) =>
    signEvent({ body, eventId: "e", signing: { scheme, header: null, secret }, now });
  for (const scheme of EVENT_SCHEMES) expect(sign(scheme, null)).toEqual({});
  expect(sign("none", "secret")).toEqual({});
});
