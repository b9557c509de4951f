import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  getReferral,
  getResult,
  type Harness,
  issuedReferral,
  reach,
  startHarness,
} from "../testing/harness.ts";
import { referral } from "../wire/referral-wire.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

async function download(address: string | null) {
  const response = await fetch(address ?? "");
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get("content-type"), bytes };
}

test("each fetch gives a fresh address, each address the same PDF", async () => {
  const first = await issuedReferral(harness);
  const second = await getReferral(harness, first.uuid);
  expect(second.referralAttachment).not.toBe(first.referralAttachment);
  const one = await download(first.referralAttachment);
  const two = await download(second.referralAttachment);
  expect(one).toMatchObject({ status: 200, type: "application/pdf" });
  expect(one.bytes.subarray(0, 5).toString()).toBe("%PDF-");
  const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  expect(digest(two.bytes)).toBe(digest(one.bytes));
});

test("a form that is drawn anew (fault formsDrawnAnew) differs at each download, and its referral does not", async () => {
  const own = await startHarness();
  const before = await issuedReferral(own);
  await own.console("PUT", "/faults", { formsDrawnAnew: true });
  const one = await download(before.referralAttachment);
  await own.console("POST", "/clock", { advanceSeconds: 60 });
  const two = await download(before.referralAttachment);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(two.bytes.equals(one.bytes)).toBe(false);
  const { referralAttachment: _, ...said } = await getReferral(own, before.uuid);
  expect(before).toMatchObject(said);
  await own.stop();
});

test("a changed address is refused, whichever part changed", async () => {
  const { referralAttachment, uuid } = await issuedReferral(harness);
  const other = await issuedReferral(harness);
  const good = new URL(referralAttachment ?? "");
  const forged: string[] = [];
  for (const name of ["expires", "nonce", "signature"]) {
    const without = new URL(good);
    without.searchParams.delete(name);
    const changed = new URL(good);
    changed.searchParams.set(name, name === "expires" ? "99999999999" : "00");
    forged.push(without.href, changed.href);
  }
  forged.push(
    good.href.replace(uuid, other.uuid),
    good.href.replace(uuid, randomUUID()),
    good.href.replace("/1.pdf", "/2.pdf"),
    good.href.replace("/1.pdf", "/x.pdf"),
    good.href.replace("/referral/", "/result/"),
  );
  for (const address of forged) expect((await download(address)).status).toBe(403);
});

test("an address expires by the server's clock; a fresh one works", async () => {
  const own = await startHarness();
  const { uuid, referralAttachment } = await issuedReferral(own);
  await own.console("POST", "/clock", { advanceSeconds: 901 });
  expect((await download(referralAttachment)).status).toBe(403);
  const fresh = await getReferral(own, uuid);
  expect((await download(fresh.referralAttachment)).status).toBe(200);
  await own.stop();
});

test("after PATCH the old form is gone and the new one differs", async () => {
  const before = await issuedReferral(harness);
  const old = await download(before.referralAttachment);
  await harness.call("PATCH", `/v1/referrals/${before.uuid}`, { body: { firstName: "Zoe" } });
  const after = await reach(harness, before.uuid, "ISSUED");
  expect((await download(before.referralAttachment)).status).toBe(404);
  expect((await download(after.referralAttachment)).bytes.equals(old.bytes)).toBe(false);
});

test("a result has its own PDF, replaced by the next", async () => {
  const { uuid } = await issuedReferral(harness);
  const put = async (query: string) =>
    referral.parse((await harness.call("PUT", `/v1/referrals/${uuid}${query}`)).body).resultsUuid;
  const part = await getResult(harness, await put("?partial"));
  expect((await download(part.resultAttachment)).status).toBe(200);
  const whole = await getResult(harness, await put(""));
  expect((await download(part.resultAttachment)).status).toBe(404);
  expect((await download(whole.resultAttachment)).status).toBe(200);
});
