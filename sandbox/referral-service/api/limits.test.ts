import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createReferral,
  type Harness,
  issuedReferral,
  order,
  patient,
  reach,
  startHarness,
} from "../testing/harness.ts";
import { referral, referralList } from "../wire/referral-wire.ts";
import { resultList } from "../wire/result-wire.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const post = (body: unknown) => harness.call("POST", "/v1/referrals", { body });

describe("bodies", () => {
  test.each(["{", "", "null", "[]", "7", '"text"', "{]", '{"a":}', "\u0000"])(
    "%j is an INVALID_PAYLOAD",
    async (body) => {
      expect(await post(body)).toMatchObject({ status: 400, body: { code: "INVALID_PAYLOAD" } });
    },
  );

  test("larger than 256 KB is 413", async () => {
    const metadata = { text: "x".repeat(300_000) };
    expect(await post({ ...order, metadata })).toMatchObject({ status: 413 });
  });

  test("larger than 256 KB in pieces of unknown length is 413", async () => {
    const piece = new TextEncoder().encode(`"${"x".repeat(50_000)}",`);
    let left = 8;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        left -= 1;
        if (left < 0) controller.close();
        else controller.enqueue(piece);
      },
    });
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      headers: { authorization: `Bearer ${harness.accessToken}` },
      body: stream,
      duplex: "half",
    };
    expect((await fetch(`${harness.baseUrl}/v1/referrals`, init)).status).toBe(413);
  });

  test("far larger ones are 413 as well, and the connection is not cut", async () => {
    const metadata = { text: "x".repeat(12_000_000) };
    expect(await post({ ...order, metadata })).toMatchObject({ status: 413 });
  });

  test("metadata near the limit comes back as it was", async () => {
    const metadata = { text: "é".repeat(100_000), list: Array.from({ length: 500 }, (_, i) => i) };
    expect((await createReferral(harness, { metadata })).metadata).toEqual(metadata);
  });

  test("endless nesting is refused", async () => {
    const body = `{"metadata":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(await post(body)).toMatchObject({ status: 400, body: { code: "INVALID_PAYLOAD" } });
  });

  test("keys with a meaning in JavaScript are only keys", async () => {
    const body = `{"__proto__":{"polluted":1},${JSON.stringify(order).slice(1, -1)},"metadata":{"__proto__":{"a":1},"constructor":2}}`;
    const reply = await post(body);
    expect(reply.status).toBe(200);
    expect(JSON.stringify(reply.body)).toContain('"__proto__":{"a":1}');
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("unknown fields are ignored", async () => {
    expect((await post({ ...order, colour: "blue" })).status).toBe(200);
  });

  test("very long strings are refused, odd ones are kept", async () => {
    expect((await post({ ...order, firstName: "x".repeat(10_000) })).status).toBe(400);
    const firstName = "\u0000\ud800 <b>'\";--\u202e😀";
    const created = await issuedReferral(harness, { firstName, referenceNumber: firstName });
    expect(created.person.firstName).toBe(firstName);
    const pdf = await fetch(created.referralAttachment ?? "");
    expect(pdf.status).toBe(200);
  });
});

describe("addresses", () => {
  test("unknown ones are 404, wrong methods 405", async () => {
    expect((await harness.call("GET", "/v1/nothing")).status).toBe(404);
    expect((await harness.call("GET", "/v1/referrals/%E0%A4%A")).status).toBe(404);
    const reply = await harness.call("PUT", "/v1/tests");
    expect(reply.status).toBe(405);
    expect(reply.headers.get("allow")).toBe("GET");
  });
});

describe("organisations see nothing of each other", () => {
  test("referrals, results, lists, statistics, deliveries and provider numbers", async () => {
    const { uuid } = await issuedReferral(harness, { referenceNumber: "SECRET-1" });
    const done = await harness.call("PUT", `/v1/referrals/${uuid}`);
    const { resultsUuid } = referral.parse(done.body);
    const { client, token } = await harness.newOrganisation();
    for (const [method, path] of [
      ["GET", `/v1/referrals/${uuid}`],
      ["PATCH", `/v1/referrals/${uuid}`],
      ["DELETE", `/v1/referrals/${uuid}`],
      ["PUT", `/v1/referrals/${uuid}`],
      ["GET", `/v1/results/${resultsUuid}`],
    ] as const) {
      const body = method === "PATCH" ? { firstName: "Zoe" } : undefined;
      expect((await client.call(method, path, { body })).status).toBe(404);
    }
    for (const [path, body] of [
      [`/referrals/${uuid}/verify`, {}],
      [`/referrals/${uuid}/status`, { status: "REFUNDED" }],
      [`/referrals/${uuid}/results`, {}],
      [`/results/${resultsUuid}/release`, {}],
    ] as const) {
      expect((await harness.console("POST", path, body, token)).status).toBe(404);
    }
    const list = referralList.parse((await client.call("GET", "/v1/referrals")).body);
    expect(list.referrals).toEqual([]);
    expect(resultList.parse((await client.call("GET", "/v1/results")).body).results).toEqual([]);
    const stats = await harness.console("GET", "/stats", undefined, token);
    expect(JSON.stringify(stats.body)).not.toContain("SECRET-1");
    for (const path of ["/deliveries", "/provider-numbers", "/mails"]) {
      expect((await harness.console("GET", path, undefined, token)).body).toEqual([]);
    }
    expect((await reach(harness, uuid, "COMPLETE")).person).toEqual(patient);
  });

  test("a cursor of one organisation shows another only its own", async () => {
    const other = await harness.newOrganisation();
    const own = await createReferral(other.client);
    const list = referralList.parse((await harness.call("GET", "/v1/referrals?count=1")).body);
    const path = `/v1/referrals?cursor=${list.cursor.cursor}`;
    const { referrals } = referralList.parse((await other.client.call("GET", path)).body);
    expect(referrals.map(({ uuid }) => uuid)).toEqual([own.uuid]);
  });
});
