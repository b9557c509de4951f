import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createReferral,
  fields,
  getReferral,
  type Harness,
  issuedReferral,
  patient,
  startHarness,
} from "../testing/harness.ts";
import { type Receiver, startReceiver } from "../testing/webhook-receiver.ts";
import { referral } from "../wire/referral-wire.ts";

let harness: Harness;
let receiver: Receiver;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await harness.console("PUT", "/faults", {});
  await harness.console("DELETE", "/webhook");
  await receiver.stop();
});

const listen = (more: Record<string, unknown> = {}) =>
  harness.console("PUT", "/webhook", { url: receiver.url, ...more });

describe("which events are sent", () => {
  test("created and issued", async () => {
    await listen();
    const { uuid } = await createReferral(harness);
    await receiver.count(2);
    expect(receiver.events()).toEqual(["referral.created", "referral.issued"]);
    expect(receiver.received.every(({ body }) => body.referralUuid === uuid)).toBe(true);
  });

  test("PATCH: scheduled_reissue, then issued", async () => {
    const { uuid } = await issuedReferral(harness);
    await listen();
    await harness.call("PATCH", `/v1/referrals/${uuid}`, { body: { firstName: "Zoe" } });
    await receiver.count(2);
    expect(receiver.events()).toEqual(["referral.scheduled_reissue", "referral.issued"]);
  });

  test("partial, again, and complete results", async () => {
    const tests = ["full-blood-count", "lipid-studies", "thyroid-function"];
    const { uuid } = await issuedReferral(harness, { tests });
    await listen();
    await harness.call("PUT", `/v1/referrals/${uuid}?partial`);
    await harness.call("PUT", `/v1/referrals/${uuid}?partial`);
    await harness.call("PUT", `/v1/referrals/${uuid}`);
    await receiver.count(9);
    expect(receiver.events()).toEqual([
      "result.created",
      "result.partial_results",
      "referral.partial_results",
      "result.updated",
      "result.partial_results",
      "referral.partial_results",
      "result.updated",
      "result.complete",
      "referral.complete",
    ]);
    const { resultsUuid } = await getReferral(harness, uuid);
    expect(receiver.received.every(({ body }) => body.resultUuid === resultsUuid)).toBe(true);
  });

  test("a review: in_review, then complete on release", async () => {
    const { uuid } = await issuedReferral(harness);
    await harness.console("PATCH", "/organisation", { holdResultsForReview: true });
    await listen();
    const reply = await harness.call("PUT", `/v1/referrals/${uuid}`);
    const { resultsUuid } = referral.parse(reply.body);
    await receiver.count(3);
    expect(receiver.events()).toEqual(["result.created", "result.in_review", "referral.complete"]);
    await harness.console("POST", `/results/${resultsUuid}/release`);
    await receiver.count(5);
    expect(receiver.events().slice(3)).toEqual(["result.updated", "result.complete"]);
    await harness.console("PATCH", "/organisation", { holdResultsForReview: false });
  });

  test("patient verification: pending_verification, then issued", async () => {
    await harness.console("PATCH", "/organisation", { requirePatientVerification: true });
    await listen();
    const { uuid, status } = await createReferral(harness);
    expect(status).toBe("PENDING_VERIFICATION");
    await receiver.count(2);
    const verified = await harness.console("POST", `/referrals/${uuid}/verify`);
    expect(referral.parse(verified.body)).toMatchObject({ status: "ISSUED" });
    await receiver.count(3);
    expect(receiver.events()).toEqual([
      "referral.created",
      "referral.pending_verification",
      "referral.issued",
    ]);
    expect((await getReferral(harness, uuid)).emailSentAt).not.toBeNull();
    expect((await harness.console("POST", `/referrals/${uuid}/verify`)).status).toBe(400);
    await harness.console("PATCH", "/organisation", { requirePatientVerification: false });
  });

  test("billing_failed", async () => {
    await harness.console("PATCH", "/organisation", { billing: "declined" });
    await listen();
    await createReferral(harness);
    await receiver.count(2);
    expect(receiver.events()).toEqual(["referral.created", "referral.billing_failed"]);
    await harness.console("PATCH", "/organisation", { billing: "valid" });
  });

  test.each([
    ["INSUFFICIENT_DATA", "referral.insufficient_data"],
    ["REFUNDED", "referral.refunded"],
    ["FAILED_TEST", "referral.failed_test"],
    ["TRANSFERRED", "referral.transferred"],
    ["BILLING_FAILED", "referral.billing_failed"],
    ["PENDING_VERIFICATION", "referral.pending_verification"],
    ["SCHEDULED_REISSUE", "referral.scheduled_reissue"],
    ["CREATED", "referral.created"],
    ["ISSUED", "referral.issued"],
  ])("the lab bench reaches %s with %s", async (status, event) => {
    const { uuid, updatedAt } = await issuedReferral(harness);
    await listen();
    const reply = await harness.console("POST", `/referrals/${uuid}/status`, { status });
    expect(referral.parse(reply.body).status).toBe(status);
    expect((await getReferral(harness, uuid)).updatedAt > updatedAt).toBe(true);
    await receiver.count(1);
    expect(receiver.events()).toEqual([event]);
  });

  test.each(["PARTIAL_RESULTS", "COMPLETE"])(
    "the lab bench reaches %s with a result",
    async (status) => {
      const { uuid } = await issuedReferral(harness);
      const reply = await harness.console("POST", `/referrals/${uuid}/status`, { status });
      expect(referral.parse(reply.body)).toMatchObject({ status });
      expect(referral.parse(reply.body).resultsUuid).not.toBeNull();
    },
  );

  test("DELETE sends referral.updated", async () => {
    const { uuid } = await issuedReferral(harness);
    await listen();
    await harness.call("DELETE", `/v1/referrals/${uuid}`);
    await receiver.count(1);
    expect(receiver.events()).toEqual(["referral.updated"]);
  });
});

describe("what is sent", () => {
  test("nothing about the patient, and unique event ids, in every shape", async () => {
    for (const shape of ["flat", "nested", "resource"]) {
      await listen({ shape });
      await issuedReferral(harness, { metadata: { canary: "metadata-canary" } });
    }
    const all = await receiver.count(6);
    const text = all.map(({ raw, headers }) => raw + JSON.stringify(headers)).join();
    const { address, dob, email, phone, firstName, lastName } = patient;
    for (const word of [
      dob,
      email,
      phone,
      firstName,
      lastName,
      address.city,
      "canary",
      "ORDER-1",
    ]) {
      expect(text).not.toContain(word);
    }
    const ids = all.map(({ body }) => body.id ?? body.eventId);
    expect(new Set(ids).size).toBe(6);
    expect(receiver.events()).toEqual(
      Array.from({ length: 3 }, () => ["referral.created", "referral.issued"]).flat(),
    );
    expect(all[2]?.body).toHaveProperty("data.referralUuid");
    expect(all[4]?.body).toHaveProperty("referral.uuid");
  });

  test("Standard Webhooks by default, with a secret that was made up", async () => {
    const { secret, scheme } = fields(await listen());
    expect(scheme).toBe("standard-webhooks");
    await createReferral(harness);
    const [first] = await receiver.count(1);
    const headers = {
      "webhook-id": String(first?.headers["webhook-id"]),
      "webhook-timestamp": String(first?.headers["webhook-timestamp"]),
      "webhook-signature": String(first?.headers["webhook-signature"]),
    };
    const verifier = new Webhook(String(secret));
    expect(verifier.verify(first?.raw ?? "", headers)).toMatchObject({ id: headers["webhook-id"] });
    expect(() => verifier.verify(`${first?.raw} `, headers)).toThrow();
  });

  test("the other schemes, and a header of one's own", async () => {
    const secret = "a secret that is not base64!";
    const hmac = (raw: string, encoding: "hex" | "base64") =>
      createHmac("sha256", secret).update(raw).digest(encoding);
    const expected: Record<string, (raw: string) => string> = {
      "hmac-hex": (raw) => hmac(raw, "hex"),
      "hmac-base64": (raw) => hmac(raw, "base64"),
      "shared-secret": () => secret,
    };
    let seen = 0;
    for (const [scheme, signature] of Object.entries(expected)) {
      await listen({ scheme, secret, header: "X-Own-Signature" });
      await issuedReferral(harness);
      seen += 2;
      const all = await receiver.count(seen);
      const last = all.at(-1);
      expect(last?.headers["x-own-signature"]).toBe(signature(last?.raw ?? ""));
      expect(last?.headers["webhook-signature"]).toBeUndefined();
    }
    await listen({ scheme: "none" });
    await issuedReferral(harness);
    const all = await receiver.count(seen + 2);
    expect(Object.keys(all.at(-1)?.headers ?? {}).join()).not.toMatch(/signature|secret/);
  });

  test("bad webhooks are refused", async () => {
    const bad: Record<string, unknown>[] = [
      { url: "ftp://example.com" },
      { url: "nonsense" },
      { url: receiver.url, scheme: "rot13" },
      { url: receiver.url, header: "no spaces" },
      { url: receiver.url, shape: "round" },
    ];
    for (const body of bad)
      expect((await harness.console("PUT", "/webhook", body)).status).toBe(400);
  });
});
