import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { createAttachmentFetcher } from "../../../clients/referral-service/attachments/attachment-fetcher.ts";
import { ReferralServiceError } from "../../../platform/errors.ts";
import type { AttachmentFetcher } from "../document.ts";
import { refetchReferral } from "../referrals/refetch-referral.ts";
import { refetchResult } from "../results/refetch-result.ts";
import type { ResultSnapshot } from "../snapshots.ts";
import { LOOKS_MS } from "./awaited-document.ts";

const db = await openTestDatabase();
const PDF = { kind: "pdf", bytes: Buffer.from("%PDF-1.7 form") } as const;
type Download = Awaited<ReturnType<AttachmentFetcher["download"]>>;

/** An issued referral, or both of a Medicare request, with the answer that each address gives. */
async function start(items?: typeof BOTH_PARTS) {
  const created = await startCreated(db, { items });
  const { shop, ports, clock, service } = created;
  const uuids = created.uuids();
  const answers = new Map<string, Download | Error>();
  const attachments: AttachmentFetcher = {
    async download(url) {
      const answer = answers.get(url) ?? PDF;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const addressOf = (uuid: string) => `https://files.example/${uuid}.pdf`;
  for (const uuid of uuids)
    service.set(uuid, { status: "ISSUED", referralAttachment: addressOf(uuid) });
  const all = { ...ports, attachments };
  const [uuid = ""] = uuids;
  return {
    ...created,
    uuid,
    uuids,
    attachments,
    gives: (answer: Download | Error, of = uuid) => answers.set(addressOf(of), answer),
    read: (of = uuid) => refetchReferral(all, { shop, environment: "staging", uuid: of }),
    reason: async () => (await created.find())?.reviewReason ?? null,
    told: async () =>
      (await created.story(created.requestId)).filter((kind) => kind === "document_missing").length,
    async later() {
      const { rows } = await db.pool.query<{ ms: string }>(
        `SELECT extract(epoch FROM start_after) * 1000 AS ms FROM outbox
         WHERE shop = $1 AND name LIKE 'refetch-%' AND start_after > $2 ORDER BY id`,
        [shop, clock.now()],
      );
      return [...new Set(rows.map(({ ms }) => Number(ms) - clock.now().getTime()))];
    },
  };
}

test("tells of a host that is not allowed at once, by its name, and ends it when the form is here", async () => {
  const one = await start();
  one.gives({ kind: "refused", reason: "host is not on the list", host: "cdn.example" });
  for (const _ of [1, 2]) await expect(one.read()).rejects.toMatchObject({ retryable: true });
  expect(await one.reason()).toEqual({ code: "document_refused", detail: "cdn.example" });
  expect(await one.told()).toBe(1);
  one.gives(PDF);
  await one.read();
  expect(await one.reason()).toBeNull();
});

test("says of no host that is allowed that it is not, when its name leads to a private address", async () => {
  const one = await start();
  let leadsTo = "10.0.0.1";
  const attachments = createAttachmentFetcher({
    allowedHosts: ["files.example"],
    resolve: async () => [{ address: leadsTo, family: 4 }],
  });
  const ports = { ...one.ports, attachments };
  const read = () =>
    refetchReferral(ports, { shop: one.shop, environment: "staging", uuid: one.uuid });
  await expect(read()).rejects.toMatchObject({
    code: "attachment_unreachable",
    cause: { cause: { code: "PRIVATE_ADDRESS" } },
  });
  expect(await one.reason()).toBeNull();
  leadsTo = "127.0.0.1";
  one.clock.advance(600_000);
  await expect(read()).rejects.toMatchObject({ retryable: true });
  expect(await one.reason()).toEqual({ code: "document_missing", detail: null });
});

test("says of no host that is allowed that it is not, when a file is too large", async () => {
  const one = await start();
  one.gives({ kind: "refused", reason: "file is too large", status: 200 });
  await expect(one.read()).rejects.toMatchObject({ code: "attachment_refused" });
  expect(await one.reason()).toBeNull();
  one.clock.advance(600_000);
  await expect(one.read()).rejects.toThrow();
  expect(await one.reason()).toEqual({ code: "document_missing", detail: null });
});

test.each<[string, Download | Error]>([
  ["expired", { kind: "expired", reason: "address has expired", status: 403 }],
  ["gone", { kind: "gone", reason: "answered 410", status: 410 }],
  ["no PDF", { kind: "not_pdf" }],
  ["unreachable", new ReferralServiceError("server", "the file's host answered 503")],
])("tells of a form that was %s for ten minutes, and not before", async (_, answer) => {
  const one = await start();
  one.gives(answer);
  await expect(one.read()).rejects.toMatchObject({ name: "AttachmentUnavailable" });
  expect(await one.later()).toEqual([600_000]);
  one.clock.advance(599_000);
  await expect(one.read()).rejects.toThrow();
  expect(await one.reason()).toBeNull();
  one.clock.advance(1_000);
  await expect(one.read()).rejects.toThrow();
  expect(await one.reason()).toEqual({ code: "document_missing", detail: null });
  one.gives(PDF);
  await one.read();
  expect(await one.reason()).toBeNull();
  expect(await one.told()).toBe(1);
});

test("tells of a form after ten minutes that had no address first, and then one that nobody answers at", async () => {
  const one = await start();
  one.service.set(one.uuid, { referralAttachment: null });
  await one.read();
  one.clock.advance(6_000);
  await one.takeJobs();
  one.service.set(one.uuid, { referralAttachment: `https://files.example/${one.uuid}.pdf` });
  one.gives({ kind: "gone", reason: "answered 410", status: 410 });
  await expect(one.read()).rejects.toThrow();
  expect(await one.later()).toEqual([594_000]);
  one.clock.advance(594_000);
  await expect(one.read()).rejects.toThrow();
  expect(await one.reason()).toEqual({ code: "document_missing", detail: null });
});

test("tells of a form that was lost and cannot be had again", async () => {
  const one = await start();
  await one.read();
  await db.pool.query("UPDATE document_bodies SET lost_at = $2 WHERE shop = $1", [
    one.shop,
    one.clock.now(),
  ]);
  one.gives({ kind: "refused", reason: "host is not on the list", host: "cdn.example" });
  await expect(one.read()).rejects.toMatchObject({ name: "AttachmentUnavailable" });
  expect(await one.reason()).toEqual({ code: "document_refused", detail: "cdn.example" });
  one.gives(PDF);
  await one.read();
  expect(await one.reason()).toBeNull();
});

test("keeps the entry while another form of the request is missing", async () => {
  const one = await start(BOTH_PARTS);
  const [first = "", second = ""] = one.uuids;
  for (const uuid of [first, second]) {
    one.gives({ kind: "refused", reason: "host is not on the list", host: "cdn.example" }, uuid);
    await expect(one.read(uuid)).rejects.toThrow();
  }
  one.gives(PDF, first);
  await one.read(first);
  expect(await one.reason()).toMatchObject({ code: "document_refused" });
  one.gives(PDF, second);
  await one.read(second);
  expect(await one.reason()).toBeNull();
});

test("looks for the form of an issued referral without an address, and tells when it never comes", async () => {
  const one = await start();
  one.service.set(one.uuid, { referralAttachment: null });
  await one.read();
  expect(await one.later()).toEqual([LOOKS_MS[0]]);
  one.clock.advance(600_000);
  await one.read();
  expect(await one.reason()).toEqual({ code: "document_missing", detail: null });
});

test.each(["CREATED", "SCHEDULED_REISSUE"])(
  "tells of a form that the service does not make of a referral that stays %s, until it is here",
  async (status) => {
    const one = await start();
    if (status === "SCHEDULED_REISSUE") await one.read();
    const updatedAt = new Date(one.clock.now().getTime() + 1_000).toISOString();
    one.service.set(one.uuid, { status, referralAttachment: null, updatedAt });
    one.clock.advance(5_000);
    await one.read();
    expect(await one.later()).toEqual([LOOKS_MS[0]]);
    one.clock.advance(599_000);
    await one.read();
    expect(await one.reason()).toBeNull();
    one.clock.advance(1_000);
    await one.read();
    expect(await one.reason()).toEqual({ code: "document_missing", detail: null });
    const referralAttachment = `https://files.example/${one.uuid}.pdf`;
    const at = one.clock.now().toISOString();
    one.service.set(one.uuid, { status: "ISSUED", referralAttachment, updatedAt: at });
    await one.read();
    expect(await one.reason()).toBeNull();
    expect(await one.told()).toBe(1);
  },
);

test("looks for a report that is not there at the first reading after seconds, then minutes", async () => {
  const one = await start();
  await one.read();
  await one.takeJobs();
  const { ports, shop, clock, attachments } = one;
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  let result: ResultSnapshot = resultSnapshot({ referralUuid: one.uuid, resultAttachment: null });
  const services = { forConnection: async () => ({ ...real, getResult: async () => result }) };
  const read = () =>
    refetchResult(
      { ...ports, services, attachments },
      { shop, environment: "staging", uuid: result.uuid },
    );
  const began = clock.now().getTime();
  const looks: number[] = [];
  for (;;) {
    await read();
    const [next] = await one.later();
    await one.takeJobs();
    if (next === undefined) break;
    clock.advance(next);
    looks.push(clock.now().getTime() - began);
  }
  expect(looks).toEqual(LOOKS_MS);
  // A result may be without a report for good.
  expect(await one.reason()).toBeNull();
  result = { ...result, resultAttachment: "https://files.example/report.pdf" };
  expect(await read()).toMatchObject({ document: true });
});
