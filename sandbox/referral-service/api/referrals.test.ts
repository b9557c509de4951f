import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  createReferral,
  getReferral,
  type Harness,
  issuedReferral,
  patient,
  reach,
  startHarness,
} from "../testing/harness.ts";
import { apiError } from "../wire/common.ts";
import { referral, referralList } from "../wire/referral-wire.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

async function patched(uuid: string, body: unknown) {
  const reply = await harness.call("PATCH", `/v1/referrals/${uuid}`, { body });
  expect(reply.status).toBe(200);
  return referral.parse(reply.body);
}

async function patchRefusal(uuid: string, body: unknown) {
  const reply = await harness.call("PATCH", `/v1/referrals/${uuid}`, { body });
  expect(reply.status).toBe(400);
  return apiError.parse(reply.body);
}

const setStatus = (uuid: string, status: string) =>
  harness.console("POST", `/referrals/${uuid}/status`, { status });

describe("get", () => {
  test("unknown and malformed uuids are REFERRAL_NOT_FOUND", async () => {
    for (const uuid of [randomUUID(), "nonsense"]) {
      expect(await harness.call("GET", `/v1/referrals/${uuid}`)).toMatchObject({
        status: 404,
        body: { error: true, code: "REFERRAL_NOT_FOUND", errorList: [] },
      });
    }
  });
});

describe("list", () => {
  const list = async (client: Client, query = "") =>
    referralList.parse((await client.call("GET", `/v1/referrals${query}`)).body);

  test("pages follow each other until one is short, in both orders", async () => {
    const { client } = await harness.newOrganisation();
    const created: string[] = [];
    for (let index = 0; index < 23; index += 1) created.push((await createReferral(client)).uuid);
    expect((await list(client)).cursor).toMatchObject({ count: 20, resultCount: 20 });
    for (const sort of ["asc", "desc"]) {
      const seen: string[] = [];
      let cursor = "";
      for (;;) {
        const query = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const page = await list(client, `?count=5&sort=${sort}${query}`);
        seen.push(...page.referrals.map(({ uuid }) => uuid));
        expect(page.cursor).toMatchObject({ count: 5, resultCount: page.referrals.length });
        cursor = page.cursor.cursor;
        if (page.cursor.resultCount < 5) break;
      }
      expect(seen).toEqual(sort === "asc" ? created : created.toReversed());
    }
    const last = await list(client, "?sort=desc&count=1");
    const next = await list(client, `?count=1&cursor=${last.cursor.cursor}`);
    expect(next.referrals[0]?.uuid).toBe(created[21]);
  });

  test("an exact multiple of the page size ends with an empty page", async () => {
    const { client } = await harness.newOrganisation();
    await createReferral(client);
    const first = await list(client, "?count=1");
    const second = await list(client, `?count=1&cursor=${first.cursor.cursor}`);
    expect(second).toMatchObject({ referrals: [], cursor: { resultCount: 0 } });
    const added = await createReferral(client);
    const third = await list(client, `?count=1&cursor=${second.cursor.cursor}`);
    expect(third.referrals[0]?.uuid).toBe(added.uuid);
  });

  test("an empty list has a cursor as well", async () => {
    const { client } = await harness.newOrganisation();
    expect(await list(client)).toMatchObject({ referrals: [], cursor: { resultCount: 0 } });
  });

  test("the address loses addressLine2 and country where there is no second line", async () => {
    const { client } = await harness.newOrganisation();
    const { addressLine2: _second, ...address } = patient.address;
    await createReferral(client, { address });
    await createReferral(client);
    const [short, long] = (await list(client)).referrals;
    expect(Object.keys(short?.person.address ?? {}).sort()).toEqual(
      ["addressLine1", "city", "postCode", "state"].sort(),
    );
    expect(long?.person.address).toEqual(patient.address);
  });

  test.each([
    "count=0",
    "count=21",
    "count=-1",
    "count=abc",
    "count=1.5",
    "sort=up",
    "cursor=x",
    `cursor=${Buffer.from('["results","asc",1]').toString("base64url")}`,
  ])("%s is an INVALID_PARAMETER", async (query) => {
    const reply = await harness.call("GET", `/v1/referrals?${query}`);
    expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_PARAMETER" } });
  });
});

describe("patch", () => {
  test("changes what is given, makes a new form, and returns to ISSUED", async () => {
    const before = await issuedReferral(harness, { metadata: { keep: 1, drop: 2 } });
    const change = { firstName: "Zoë", phone: "0499 999 999" };
    const scheduled = await patched(before.uuid, change);
    expect(scheduled).toMatchObject({
      status: "SCHEDULED_REISSUE",
      referralAttachment: null,
      person: { ...patient, ...change },
      metadata: { keep: 1, drop: 2 },
    });
    expect(scheduled.updatedAt > before.updatedAt).toBe(true);
    const after = await reach(harness, before.uuid, "ISSUED");
    expect(after.referralAttachment).not.toBeNull();
    expect(after.person.firstName).toBe("Zoë");
    expect(after.emailSentAt).toBe(before.emailSentAt);
  });

  test("merges metadata; a key set to null is removed", async () => {
    const { uuid } = await issuedReferral(harness, { metadata: { a: 1, b: 2 } });
    const first = await patched(uuid, { metadata: { b: null, c: { d: 3 } } });
    expect(first.metadata).toEqual({ a: 1, c: { d: 3 } });
  });

  test("metadata can be added where there was none", async () => {
    const { uuid } = await issuedReferral(harness);
    expect((await patched(uuid, { metadata: { a: 1, b: null } })).metadata).toEqual({ a: 1 });
  });

  test("replaces the address whole", async () => {
    const { uuid } = await issuedReferral(harness);
    const address = {
      addressLine1: "2 Hill",
      postCode: "3000",
      city: "Melbourne",
      country: "Australia",
      state: "VIC",
    };
    expect((await patched(uuid, { address })).person.address).toEqual({
      ...address,
      addressLine2: null,
    });
  });

  test("works in CREATED and in ISSUED", async () => {
    const { uuid } = await issuedReferral(harness);
    await setStatus(uuid, "CREATED");
    await patched(uuid, { firstName: "Zoe" });
    await reach(harness, uuid, "ISSUED");
    await patched(uuid, {});
  });

  test.each([
    "PENDING_VERIFICATION",
    "SCHEDULED_REISSUE",
    "PARTIAL_RESULTS",
    "COMPLETE",
    "INSUFFICIENT_DATA",
    "REFUNDED",
    "FAILED_TEST",
    "BILLING_FAILED",
    "TRANSFERRED",
  ])("is refused in %s", async (status) => {
    const { uuid } = await issuedReferral(harness);
    await setStatus(uuid, status);
    const { code, message } = await patchRefusal(uuid, { firstName: "Zoe" });
    expect(code).toBe("INVALID_PARAMETER");
    expect(message).toContain(status);
    expect((await getReferral(harness, uuid)).person.firstName).toBe(patient.firstName);
  });

  test.each([
    { firstName: "A" },
    { lastName: "B" },
    { lastName: " B " },
    { phone: "12345" },
    { email: "nobody" },
    { dob: "yesterday" },
    { gender: "x" },
    { address: { city: "Perth" } },
    { metadata: [] },
    { metadata: null },
    [],
  ])("%j is an INVALID_PAYLOAD", async (change) => {
    const { uuid } = await issuedReferral(harness);
    expect((await patchRefusal(uuid, change)).code).toBe("INVALID_PAYLOAD");
  });

  test("accepts the shortest names and telephone numbers", async () => {
    const { uuid } = await issuedReferral(harness);
    const change = { firstName: "Bo", lastName: "Li", phone: "123456" };
    expect((await patched(uuid, change)).person).toMatchObject(change);
  });

  test("an unknown uuid is REFERRAL_NOT_FOUND", async () => {
    const reply = await harness.call("PATCH", `/v1/referrals/${randomUUID()}`, { body: {} });
    expect(reply).toMatchObject({ status: 404, body: { code: "REFERRAL_NOT_FOUND" } });
  });
});

describe("delete", () => {
  const remove = async (uuid: string) =>
    referral.parse((await harness.call("DELETE", `/v1/referrals/${uuid}`)).body);

  test("sets deletedAt, takes the form away and leaves the status", async () => {
    const issued = await issuedReferral(harness);
    const deleted = await remove(issued.uuid);
    expect(deleted.deletedAt).not.toBeNull();
    expect(deleted).toMatchObject({ status: "ISSUED", referralAttachment: null });
    expect(await getReferral(harness, issued.uuid)).toEqual(deleted);
    expect(await remove(issued.uuid)).toEqual(deleted);
    expect((await fetch(issued.referralAttachment ?? "")).status).toBe(404);
  });

  test("a deleted COMPLETE referral stays COMPLETE and keeps its result", async () => {
    const { uuid } = await issuedReferral(harness);
    await harness.call("PUT", `/v1/referrals/${uuid}`);
    const deleted = await remove(uuid);
    expect(deleted.status).toBe("COMPLETE");
    expect(deleted.resultsUuid).not.toBeNull();
  });

  test("a deleted referral cannot be updated", async () => {
    const { uuid } = await issuedReferral(harness);
    await remove(uuid);
    expect((await patchRefusal(uuid, { firstName: "Zoe" })).code).toBe("INVALID_PARAMETER");
  });

  test("a referral deleted before its form is made stays as it is", async () => {
    const slow = await startHarness({ pace: "natural" });
    const { uuid } = await createReferral(slow);
    await slow.call("DELETE", `/v1/referrals/${uuid}`);
    expect(await getReferral(slow, uuid)).toMatchObject({ status: "CREATED", emailSentAt: null });
    await slow.stop();
  });

  test("an unknown uuid is REFERRAL_NOT_FOUND", async () => {
    const reply = await harness.call("DELETE", `/v1/referrals/${randomUUID()}`);
    expect(reply).toMatchObject({ status: 404, body: { code: "REFERRAL_NOT_FOUND" } });
  });
});
