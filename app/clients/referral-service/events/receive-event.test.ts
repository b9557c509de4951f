import { describe, expect, test } from "vitest";
import { readEvent } from "./read-event.ts";
import { receiveEvent } from "./receive-event.ts";
import { EVENT_SCHEMES } from "./verify-event.ts";

const REFERRAL = "0b9d7a86-5c1e-4c5e-9f0c-1f8f3c1d2a01";
const NOW = new Date("2026-11-20T00:00:00Z");
const UNSIGNED_HEADERS = EVENT_SCHEMES.filter((scheme) => scheme !== "standard-webhooks");

const bodyOf = (json: unknown) => Buffer.from(JSON.stringify(json));
const receive = (
  body: Buffer,
  headers: Record<string, string> = {},
  {
    scheme = "hmac-hex",
    header = null,
    now = NOW,
  }: { scheme?: (typeof EVENT_SCHEMES)[number]; header?: string | null; now?: Date } = {},
) => receiveEvent({ body, headers, signing: { scheme, header }, now });
const idOf = (...args: Parameters<typeof receive>) => {
  const received = receive(...args);
  return received.kind === "received" ? received.eventId : received.kind;
};

describe.each(UNSIGNED_HEADERS)("a body that is sent again under %s", (scheme) => {
  const later = new Date(NOW.getTime() + 3_600_000);
  const headers: Record<string, string>[] = [
    {},
    { "webhook-id": "evt-a" },
    { "webhook-id": "evt-b", "x-event-id": "c" },
  ];

  test.each([
    ["without an id", { event: "referral.issued", uuid: REFERRAL }],
    ["with one", { id: "evt-1", event: "referral.issued", uuid: REFERRAL }],
    ["that nobody can read", { hello: "world" }],
  ])("%s is one event, whenever and under whatever header", (_, json) => {
    const ids = headers.flatMap((own) =>
      [NOW, later].map((now) => idOf(bodyOf(json), own, { scheme, now })),
    );
    expect(new Set(ids).size).toBe(1);
  });

  test("is refused once it is older than any redelivery", () => {
    const hours = (count: number) => new Date(NOW.getTime() - count * 3_600_000).toISOString();
    const at = (timestamp: string) =>
      receive(bodyOf({ event: "referral.issued", uuid: REFERRAL, timestamp }), {}, { scheme }).kind;
    expect(at(hours(47))).toBe("received");
    expect(at(hours(49))).toBe("stale");
  });
});

test("tells events apart by their bodies", () => {
  const ids = ["referral.issued", "referral.updated"].map((event) =>
    idOf(bodyOf({ event, uuid: REFERRAL })),
  );
  expect(new Set(ids).size).toBe(2);
});

test("takes the id in the header where it is signed", () => {
  const body = bodyOf({ type: "referral.issued", uuid: REFERRAL });
  const scheme = "standard-webhooks" as const;
  expect(idOf(body, { "webhook-id": "evt-a" }, { scheme })).toBe("evt-a");
});

test.each(EVENT_SCHEMES)("keeps a type that only a header tells under %s", (scheme) => {
  const body = bodyOf({ id: "evt-1", referralUuid: REFERRAL });
  const received = receive(body, { "x-event-type": "referral.issued" }, { scheme });
  if (received.kind !== "received") throw new Error(received.kind);
  expect(readEvent(received.body, {})).toMatchObject({
    kind: "hint",
    eventType: "referral.issued",
    referralUuid: REFERRAL,
  });
  expect(received.eventId).toBe("evt-1");
});

test.each(UNSIGNED_HEADERS)(
  "tells events apart by a type that only a header tells under %s",
  (scheme) => {
    const ids = (types: string[]) =>
      new Set(
        types.map((type) =>
          idOf(bodyOf({ referralUuid: REFERRAL }), { "x-event-type": type }, { scheme }),
        ),
      );
    expect(ids(["referral.issued", "referral.complete", "referral.issued"]).size).toBe(2);
    // A kept body that is sent again under types of the sender's own making is one event.
    expect(ids(["referral.one", "referral.two", "referral.three"]).size).toBe(1);
  },
);

test("keeps every other body as it came", () => {
  const body = Buffer.from('{ "type": "referral.issued",  "uuid": "x" }\n');
  expect(receive(body, { "x-event-type": "referral.created" })).toMatchObject({ body });
});

test("keeps a body that tells its type itself as it came, whatever a header tells", () => {
  const body = Buffer.from(`{ "type": "referral.issued",  "uuid": "${REFERRAL}" }\n`);
  expect(receive(body, { "x-event-type": "referral.created" })).toMatchObject({ body });
});

test("knows a body that nobody can read by its digest", () => {
  expect(idOf(bodyOf({ hello: "world" }))).toMatch(/^sha256:[0-9a-f]{64}$/);
});

describe("a resource that a delivery carries", () => {
  const old = "2026-11-01T00:00:00Z";
  const whole = { object: "referral", uuid: REFERRAL, createdAt: old };

  test.each<[string, unknown]>([
    ["as data", { event: "referral.complete", data: whole }],
    ["as payload", { id: "evt-1", event: "referral.complete", payload: whole }],
    ["that is the event", { event: "referral.complete", ...whole, updatedAt: old }],
    ["that holds the type", { data: { type: "referral.complete", ...whole, updated_at: old } }],
  ])("%s does not make its event as old as itself", (_, json) => {
    expect(receive(bodyOf(json)).kind).toBe("received");
  });

  test("does not hide how old its event is", () => {
    const changed = { ...whole, updatedAt: NOW };
    const beside = { event: "referral.complete", createdAt: old, data: changed };
    expect(receive(bodyOf(beside)).kind).toBe("stale");
    const inside = { data: { type: "referral.complete", uuid: REFERRAL, createdAt: old } };
    expect(receive(bodyOf(inside)).kind).toBe("stale");
    expect(receive(bodyOf({ ...beside, timestamp: old, updatedAt: NOW })).kind).toBe("stale");
  });

  test("names no event by a number of its own", () => {
    const ids = [1, 2].map((normal) =>
      idOf(bodyOf({ event: "referral.complete", data: { ...whole, id: "R-1", normal } })),
    );
    expect(new Set(ids).size).toBe(2);
  });
});

test("takes the id that was signed, whatever its header is called", () => {
  const body = bodyOf({ type: "referral.issued", uuid: REFERRAL });
  const scheme = "standard-webhooks" as const;
  const headers = { "x-lab-id": "evt-a", "webhook-id": "added on the way" };
  expect(idOf(body, headers, { scheme, header: "X-Lab-Signature" })).toBe("evt-a");
  expect(idOf(body, { "webhook-id": "evt-b" }, { scheme, header: "X-Lab-Signature" })).toBe(
    "evt-b",
  );
});

test("puts the type of a header into a body however deep it is", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const body = Buffer.from(`{"referralUuid":"${REFERRAL}","eventType":null,"deep":${deep}} \n`);
  const received = receive(body, { "x-event-type": "referral.issued" });
  if (received.kind !== "received") throw new Error(received.kind);
  expect(readEvent(received.body, {})).toMatchObject({ eventType: "referral.issued" });
});
