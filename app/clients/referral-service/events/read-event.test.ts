import fc from "fast-check";
import { expect, test } from "vitest";
import { readEvent } from "./read-event.ts";

const REFERRAL = "0b9d7a86-5c1e-4c5e-9f0c-1f8f3c1d2a01";
const RESULT = "7d2f1c34-8a0b-4d3e-b1a2-9c8d7e6f5a02";
const EVENT = "11111111-2222-4333-8444-555555555555";

const read = (body: unknown, headers = {}) =>
  readEvent(Buffer.from(typeof body === "string" ? body : JSON.stringify(body)), headers);

test.each<[string, unknown]>([
  ["flat", { id: EVENT, type: "referral.issued", uuid: REFERRAL }],
  [
    "flat with a name of its own",
    { eventId: EVENT, event: "referral.issued", referralUuid: REFERRAL },
  ],
  [
    "flat with snake case",
    { event_id: EVENT, event_type: "referral.issued", referral_uuid: REFERRAL },
  ],
  ["nested data", { id: EVENT, name: "referral.issued", data: { uuid: REFERRAL } }],
  ["nested object", { id: EVENT, type: "referral.issued", data: { object: { uuid: REFERRAL } } }],
  [
    "nested referral",
    { id: EVENT, type: "referral.issued", data: { referral: { uuid: REFERRAL } } },
  ],
  ["nested id", { id: EVENT, type: "referral.issued", data: { object: "referral", id: REFERRAL } }],
  [
    "resource",
    { id: EVENT, eventType: "referral.issued", resource: { object: "referral", uuid: REFERRAL } },
  ],
  ["resource as text", { id: EVENT, type: "referral.issued", resource: REFERRAL }],
  ["event inside", { event: { id: EVENT, type: "referral.issued" }, referral: { uuid: REFERRAL } }],
  ["event uuid beside", { uuid: EVENT, type: "referral.issued", data: { uuid: REFERRAL } }],
  ["event uuid inside", { event: { uuid: EVENT, type: "referral.issued" }, uuid: REFERRAL }],
  ["payload", { id: EVENT, topic: "referral.issued", payload: { referral: REFERRAL } }],
])("%s", (_, body) => {
  expect(read(body)).toEqual({
    kind: "hint",
    eventId: EVENT,
    eventType: "referral.issued",
    referralUuid: REFERRAL,
    resultUuid: null,
    timestamp: null,
  });
});

test("a bare uuid belongs to the event's kind, a named one to its own", () => {
  const bare = read({ id: "e", type: "result.complete", uuid: RESULT, referralUuid: REFERRAL });
  expect(bare).toMatchObject({ resultUuid: RESULT, referralUuid: REFERRAL });
  const data = { object: "result", uuid: RESULT };
  expect(read({ id: "e", type: "referral.complete", data })).toMatchObject({
    referralUuid: null,
    resultUuid: RESULT,
  });
  const both = { referral: { uuid: REFERRAL, resultsUuid: RESULT } };
  expect(read({ id: "e", type: "referral.complete", data: both })).toMatchObject({
    referralUuid: REFERRAL,
    resultUuid: RESULT,
  });
});

test("where both are named, each is read, and a null is none", () => {
  const names = { referralUuid: REFERRAL, resultUuid: RESULT };
  for (const body of [
    { id: "e", event: "result.updated", object: "result", uuid: RESULT, ...names },
    { id: "e", type: "result.updated", data: { object: "result", uuid: RESULT, ...names } },
    {
      eventId: "e",
      eventType: "result.updated",
      referral: { uuid: REFERRAL },
      result: { uuid: RESULT },
    },
  ]) {
    expect(read(body)).toMatchObject(names);
  }
  const body = {
    eventId: "e",
    eventType: "referral.issued",
    referral: { uuid: REFERRAL },
    result: null,
  };
  expect(read(body)).toMatchObject({ referralUuid: REFERRAL, resultUuid: null });
});

test("people and organisations are not taken for the resource", () => {
  const body = {
    id: "e",
    type: "referral.issued",
    organisation: { uuid: EVENT },
    data: { uuid: REFERRAL },
  };
  expect(read(body)).toMatchObject({ referralUuid: REFERRAL });
});

test("unknown names of the two families are hints", () => {
  expect(read({ id: "e", type: "result.re-opened", uuid: RESULT })).toMatchObject({
    kind: "hint",
    eventType: "result.re-opened",
    resultUuid: RESULT,
  });
});

test("the type may come in a header", () => {
  const headers = { "x-webhook-event": "referral.issued" };
  expect(read({ uuid: REFERRAL }, headers)).toMatchObject({ eventType: "referral.issued" });
});

test("the event id: signed header, body, or none", () => {
  const body = { type: "referral.issued", id: "evt_1", uuid: REFERRAL };
  expect(read(body, { "webhook-id": "msg_1" })).toMatchObject({ eventId: "msg_1" });
  expect(read(body)).toMatchObject({ eventId: "evt_1" });
  expect(read(body, { "webhook-id": "x".repeat(5000) })).toMatchObject({ eventId: "evt_1" });
  const without = { type: "referral.issued", uuid: REFERRAL };
  expect(read(without)).toMatchObject({ eventId: null });
  expect(read({ ...body, id: "a\u0000b" })).toMatchObject({
    eventId: null,
  });
  expect(read({ ...body, id: "x".repeat(5000) })).toMatchObject({
    eventId: null,
  });
});

test.each<[unknown, string | null]>([
  ["2026-11-20T10:00:00+11:00", "2026-11-19T23:00:00.000Z"],
  [1_700_000_000, "2023-11-14T22:13:20.000Z"],
  [1_700_000_000_000, "2023-11-14T22:13:20.000Z"],
  ["soon", null],
  [1e300, null],
])("the time %s reads as %s", (timestamp, expected) => {
  const body = { id: "e", type: "referral.issued", uuid: REFERRAL, timestamp };
  expect(read(body)).toMatchObject({ timestamp: expected });
});

test.each<[string, unknown, string]>([
  ["no JSON", "<xml/>", "not_json"],
  ["an array", [], "not_json"],
  ["no type", { id: "e", uuid: REFERRAL }, "no_event_type"],
  ["a type of another family", { type: "invoice.paid", uuid: REFERRAL }, "no_event_type"],
  ["no uuid", { id: "e", type: "referral.issued" }, "no_uuid"],
  ["a uuid that is none", { type: "referral.issued", uuid: "../../etc" }, "no_uuid"],
])("%s is unreadable", (_, body, reason) => {
  expect(read(body)).toEqual({ kind: "unreadable", reason });
});

test("nothing makes it throw", () => {
  const key = fc.constantFrom(
    "data",
    "event",
    "type",
    "id",
    "uuid",
    "referral",
    "object",
    "timestamp",
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      fc.jsonValue(),
      fc.constantFrom("referral.issued", REFERRAL, 1e308),
      fc.dictionary(key, tie("tree")),
    ),
  }));
  fc.assert(
    fc.property(tree, (body) => {
      expect(["hint", "unreadable"]).toContain(read(JSON.stringify(body)).kind);
    }),
    { numRuns: 500 },
  );
  expect(read("[".repeat(200_000)).kind).toBe("unreadable");
  const deep = `${'{"type":"referral.issued","data":'.repeat(50_000)}1${"}".repeat(50_000)}`;
  expect(read(deep).kind).toBe("unreadable");
});
