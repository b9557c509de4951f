/** Long because a PDF outside the database is followed through each of its states: placed, moved, lost, swept, erased. */
import { mkdtemp, readdir, readFile, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { startS3 } from "../../../../test/database/s3-server.ts";
import { createDocumentBodies } from "../../../clients/documents/document-bodies.ts";
import { createFileStore } from "../../../clients/documents/file-store.ts";
import { createS3Store } from "../../../clients/documents/s3-store.ts";
import { setOwner } from "../../../clients/documents/store-owner.ts";
import { readDocumentsId, shopIn } from "../../../platform/database/documents-id.ts";
import { pauseAfterRestore } from "../../../platform/database/pause-after-restore.ts";
import { DocumentStoreFailed } from "../../../platform/errors.ts";
import { createLogger } from "../../../platform/logger.ts";
import { exportEverything } from "../../access/export-everything.ts";
import { openDocument } from "../../access/open-document.ts";
import { gid } from "../../kernel/ids.ts";
import { maintainShop } from "../../lifecycle/maintain-shop.ts";
import { doPrivacyRequest } from "../../privacy/do-privacy-request.ts";
import { openDataExport } from "../../privacy/open-data-export.ts";
import { createShopEraser } from "../../privacy/postgres/shop-eraser.ts";
import type { ObjectStoreName } from "../document.ts";
import { moveDocuments, moveWhenNeeded } from "../move-documents.ts";
import { refetchReferral } from "../referrals/refetch-referral.ts";
import { refetchIfLost, sweepDocuments } from "../sweep-documents.ts";

const db = await openTestDatabase();
await pauseAfterRestore(db.pool, { asked: false });
const folder = await mkdtemp(join(tmpdir(), "pathway-documents-"));
const s3 = await startS3();
afterAll(async () => {
  await s3.stop();
  await rm(folder, { recursive: true, force: true });
});
const stores = { files: createFileStore(folder), s3: createS3Store(s3.settings) };
const into = (target: ObjectStoreName | null) =>
  createDocumentBodies({
    ...{ target, stores, logger: createLogger("silent") },
    databaseId: () => readDocumentsId(db.pool),
    isUsed: async (store) => (await shopIn(db.pool, store)) !== null,
  });
/** The folder bears the mark of this database. */
const own = async () => setOwner(stores.files, (await readDocumentsId(db.pool)) ?? "");
const storeAccess = { check: async () => "refused" as const, hasCustomer: async () => false };
const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
const FORM_URL = "https://service.example/form.pdf";
const DAY_MS = 86_400_000;

let created: Awaited<ReturnType<typeof startCreated>>;
let text: string;
/** A referral whose form is there to be fetched. */
beforeEach(async () => {
  s3.answer();
  await own();
  text = "Ferritin";
  created = await startCreated(db);
  created.service.set(created.uuids()[0] ?? "", { status: "ISSUED", referralAttachment: FORM_URL });
});

const ports = (target: ObjectStoreName | null) => ({
  ...created.ports,
  documentBodies: into(target),
  attachments: {
    download: async () => ({ kind: "pdf" as const, bytes: Buffer.from(`%PDF-1.7 ${text}`) }),
  },
});
const refetch = (target: ObjectStoreName | null) =>
  refetchReferral(ports(target), {
    ...{ shop: created.shop, environment: "staging" },
    uuid: created.uuids()[0] ?? "",
  });
async function rows() {
  const { rows: found } = await db.pool.query<{
    id: string;
    store: string | null;
    object: string | null;
    bytes: number;
    current: boolean;
  }>(
    `SELECT d.id, b.store, b.object, length(b.body_sealed) AS bytes, d.replaced_at IS NULL AS current
     FROM documents d JOIN document_bodies b ON b.shop = d.shop AND b.document_id = d.id
     WHERE d.shop = $1 ORDER BY d.version`,
    [created.shop],
  );
  return found;
}
async function opens(target: ObjectStoreName | null = null) {
  const current = (await rows()).find((row) => row.current);
  const opened = await openDocument(ports(target), {
    ...{ shop: created.shop, viewer },
    documentId: current?.id ?? "",
  });
  return opened && String(opened.pdf);
}
async function objects() {
  const names: string[] = [];
  const whole = { from: "00000000-0000-0000-0000-000000000000", until: null };
  for await (const { store, object } of into(null).list(created.shop, whole))
    names.push(`${store} ${object}`);
  return names;
}
const sweep = () => sweepDocuments({ ...ports(null), maintenanceIntervalMs: DAY_MS }, created.shop);
const later = () => created.clock.advance(Date.now() - created.clock.now().getTime() + 31 * DAY_MS);

test.each(["files", "s3"] as const)(
  "a form goes to %s, once, and its row keeps no more than the key",
  async (target) => {
    await refetch(target);
    await refetch(target);
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ store: target });
    expect(row?.bytes).toBeLessThan(100);
    expect(await objects()).toEqual([`${target} ${row?.object}`]);
    // Whichever store is chosen by now.
    expect(await opens("files")).toBe("%PDF-1.7 Ferritin");
    expect(await opens(null)).toBe("%PDF-1.7 Ferritin");
  },
);

test("documents move to where they are wanted, and back; what they leave behind is swept", async () => {
  await refetch(null);
  text = "corrected";
  await refetch(null);
  for (const target of ["files", "s3", null, "s3"] as const) {
    await db.tenancy.inShop(created.shop, (tenant) => moveWhenNeeded(tenant, into(target)));
    expect(await created.takeJobs()).toContain("move-documents");
    expect(await moveDocuments(ports(target), { shop: created.shop, after: null })).toEqual({
      ...{ moved: 2, left: 0 },
    });
    expect((await rows()).map(({ store }) => store)).toEqual([target, target]);
    expect(await opens(target)).toBe("%PDF-1.7 corrected");
    await db.tenancy.inShop(created.shop, (tenant) => moveWhenNeeded(tenant, into(target)));
    expect(await created.takeJobs()).not.toContain("move-documents");
  }
  expect(await objects()).toHaveLength(6);
  // A row may still come, and a backup may still point at it.
  expect(await sweep()).toEqual({ deleted: 0, lost: 0 });
  later();
  expect(await sweep()).toEqual({ deleted: 4, lost: 0 });
  expect(await opens(null)).toBe("%PDF-1.7 corrected");
});

test("documents of a shop that has left move as well: the former place is to be empty one day", async () => {
  await refetch("files");
  const waits = { ...created.ports.waits, reminderDayMs: DAY_MS };
  const tend = () =>
    maintainShop({ ...ports("s3"), maintenanceIntervalMs: DAY_MS, waits }, { shop: created.shop });
  const { clock, shop } = created;
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
  await tend();
  expect(await created.takeJobs()).toContain("move-documents");
});

test("what was moved opens for a backup of before the move, however old it was by then", async () => {
  await refetch("files");
  const [before] = await rows();
  later();
  await moveDocuments(ports("s3"), { shop: created.shop, after: null });
  expect(await sweep()).toEqual({ deleted: 0, lost: 0 });
  // A backup's row points there still.
  expect(await stores.files.get(created.shop, before?.object ?? "")).not.toBeNull();
  created.clock.advance(31 * DAY_MS);
  expect(await sweep()).toEqual({ deleted: 1, lost: 0 });
  expect(await stores.files.get(created.shop, before?.object ?? "")).toBeNull();
  expect(await opens(null)).toBe("%PDF-1.7 Ferritin");
});

test("a document that is replaced or erased while it is moved stays what it is", async () => {
  await refetch("files");
  const from = await db.tenancy.inShop(created.shop, async ({ documents }) => {
    const [documentId = ""] = await documents.elsewhere("s3", { after: null, limit: 1 });
    const body = await documents.body(documentId);
    return body && { documentId, requestId: created.requestId, body };
  });
  if (!from) throw new Error("nothing to move");
  const to = await into("s3").place(created.shop, Buffer.from("%PDF-1.7 Ferritin"));
  const move = () =>
    db.tenancy.inShop(created.shop, (tenant) =>
      tenant.documents.move(from, to, created.clock.now()),
    );
  expect(await move()).toBe(true);
  expect(await move()).toBe(false);
  await db.tenancy.inShop(created.shop, (tenant) =>
    tenant.redaction.requests([created.requestId], created.clock.now()),
  );
  expect(await move()).toBe(false);
  expect(await rows()).toEqual([]);
});

test("what is erased while it is moved leaves nothing at the new place", async () => {
  await refetch("files");
  const bodies = into("s3");
  const erasing = {
    ...bodies,
    async place(...of: Parameters<typeof bodies.place>) {
      await db.tenancy.inShop(created.shop, (tenant) =>
        tenant.redaction.requests([created.requestId], created.clock.now()),
      );
      return bodies.place(...of);
    },
  };
  await moveDocuments(
    { ...ports("s3"), documentBodies: erasing },
    { shop: created.shop, after: null },
  );
  expect((await objects()).filter((name) => name.startsWith("s3"))).toEqual([]);
});

/** Ports under which the whole shop is erased at the moment in which the next document is placed. */
function erasedMeanwhile(target: ObjectStoreName) {
  const bodies = into(target);
  let isErased = false;
  const documentBodies = {
    ...bodies,
    async place(...of: Parameters<typeof bodies.place>) {
      if (!isErased) {
        isErased = true;
        await eraseWholeShop();
      }
      return bodies.place(...of);
    },
  };
  return { ...ports(target), documentBodies };
}
async function eraseWholeShop() {
  const { shop, clock } = created;
  const at = clock.now();
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.uninstall(at);
    await tenant.privacy.open({
      ...{ kind: "shop_redacted", inboxId: "1", askedAt: at, openedAt: at },
      ...{ customerId: null, orderIds: [] },
    });
  });
  clock.advance(20 * DAY_MS);
  const erasing = { ...ports(null), shopEraser: createShopEraser(db.pool), storeAccess };
  expect(await doPrivacyRequest(erasing, { shop, inboxId: "1" })).toMatchObject({ kind: "done" });
}

test("a shop that is erased while its documents are moved leaves nothing at either place, and the move ends", async () => {
  await refetch("files");
  text = "corrected";
  await refetch("files");
  await created.takeJobs();
  const moved = await moveDocuments(erasedMeanwhile("s3"), { shop: created.shop, after: null });
  expect(moved).toMatchObject({ moved: 0 });
  expect(await objects()).toEqual([]);
  expect(await rows()).toEqual([]);
  expect(await created.takeJobs()).toEqual([]);
});

test("a shop that is erased while a form is placed leaves nothing in the store", async () => {
  await refetchReferral(erasedMeanwhile("s3"), {
    ...{ shop: created.shop, environment: "staging" },
    uuid: created.uuids()[0] ?? "",
  });
  expect(await objects()).toEqual([]);
  expect(await rows()).toEqual([]);
  expect(await created.takeJobs()).toEqual([]);
});

test("a store that takes its time has its turn ended in time, whatever is left", async () => {
  await refetch("files");
  text = "corrected";
  await refetch("files");
  const whole = { shop: created.shop, after: null };
  const done = await moveDocuments(ports("s3"), whole, { turnMs: 0 });
  expect(done).toEqual({ moved: 1, left: 0 });
  expect(await created.takeJobs()).toContain("move-documents");
});

test("what was erased is opened by nobody at once, and its object goes with the next sweep", async () => {
  await refetch("s3");
  const [object] = await objects();
  await db.tenancy.inShop(created.shop, (tenant) =>
    tenant.redaction.requests([created.requestId], created.clock.now()),
  );
  expect(await rows()).toEqual([]);
  const bytes = await stores.s3.get(created.shop, object?.split(" ")[1] ?? "");
  expect(String(bytes)).not.toContain("Ferritin");
  later();
  expect(await sweep()).toEqual({ deleted: 1, lost: 0 });
  expect(await objects()).toEqual([]);
});

/** The customer asks the shop for their data. Returns what packs it. */
async function asksForData() {
  const { shop } = created;
  const at = created.clock.now();
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.privacy.open({
      ...{ kind: "customer_data_requested", inboxId: "2", askedAt: at, openedAt: at },
      ...{ customerId: gid("Customer", 7), orderIds: [] },
    }),
  );
  const packing = {
    ...ports("files"),
    ...{ storeAccess, shopEraser: createShopEraser(db.pool) },
  };
  return () => doPrivacyRequest(packing, { shop, inboxId: "2" });
}

test("a former form that is lost for good keeps nobody from their data", async () => {
  await refetch("files");
  text = "corrected";
  await refetch("files");
  const [former] = await rows();
  await stores.files.delete(created.shop, former?.object ?? "");
  const pack = await asksForData();
  const { shop } = created;
  // It may be the folder that is not mounted.
  await expect(pack()).rejects.toMatchObject({ code: "document_store_missing" });
  expect(await sweep()).toEqual({ deleted: 0, lost: 1 });
  await expect(pack()).rejects.toMatchObject({ code: "document_store_missing" });
  created.clock.advance(DAY_MS);
  expect(await sweep()).toEqual({ deleted: 0, lost: 1 });
  expect(await pack()).toMatchObject({ kind: "done", receipt: { documents: 2 } });
  const packed = await db.tenancy.inShop(shop, (tenant) => tenant.privacy.openDataExport("2"));
  expect(packed?.held).toMatchObject({
    documents: [{ isLost: true }, { pdf: expect.any(String) }],
  });
});

test("a shop that is erased while its store is away leaves nothing there once it is back", async () => {
  await refetch("s3");
  const at = created.clock.now();
  const erased = { ...ports("s3"), shopEraser: createShopEraser(db.pool), storeAccess };
  await db.tenancy.inShop(created.shop, async (tenant) => {
    await tenant.shops.uninstall(at);
    await tenant.privacy.open({
      ...{ kind: "shop_redacted", inboxId: "1", askedAt: at, openedAt: at },
      ...{ customerId: null, orderIds: [] },
    });
  });
  // Longer than patients who wait may hold it up.
  created.clock.advance(20 * DAY_MS);
  s3.refuse(503, "SlowDown");
  const job = { shop: created.shop, inboxId: "1" };
  await expect(doPrivacyRequest(erased, job)).rejects.toMatchObject({
    code: "document_store_unreachable",
  });
  expect(await rows()).toEqual([]);
  s3.answer();
  expect(await objects()).toHaveLength(1);
  // The same job, tried again.
  await doPrivacyRequest(erased, job);
  expect(await objects()).toEqual([]);
});

test("a store that is away keeps the form from coming, not from being asked for, and a person is told in time", async () => {
  s3.refuse(503, "SlowDown");
  await expect(refetch("s3")).rejects.toMatchObject({ code: "attachment_not_stored" });
  expect(await rows()).toEqual([]);
  created.clock.advance(created.ports.waits.documentOverdueMs + 1);
  await expect(refetch("s3")).rejects.toMatchObject({ code: "attachment_not_stored" });
  const reason = async () =>
    (await db.tenancy.inShop(created.shop, (tenant) => tenant.requests.find(created.requestId)))
      ?.reason?.code;
  expect(await reason()).toBe("document_missing");
  s3.answer();
  await refetch("s3");
  expect(await reason()).toBeUndefined();
  expect(await opens("s3")).toBe("%PDF-1.7 Ferritin");
});

test("an object that is lost is told, and brought from the service again", async () => {
  await refetch("files");
  text = "corrected";
  await refetch("files");
  const current = (await rows()).find((row) => row.current);
  const kept = await stores.files.get(created.shop, current?.object ?? "");
  await stores.files.delete(created.shop, current?.object ?? "");
  expect(await sweep()).toEqual({ deleted: 0, lost: 1 });
  expect(await created.takeJobs()).toContain("refetch-referral");
  await refetch("s3");
  expect(await opens("files")).toBe("%PDF-1.7 corrected");
  expect((await rows()).map(({ store }) => store)).toEqual(["files", "s3"]);
  // Back from a backup, what was told to be lost opens as before.
  const [former] = await rows();
  const bytes = await stores.files.get(created.shop, former?.object ?? "");
  await stores.files.put(created.shop, current?.object ?? "", kept ?? Buffer.alloc(0));
  await stores.files.delete(created.shop, former?.object ?? "");
  expect(await sweep()).toEqual({ deleted: 0, lost: 1 });
  await stores.files.put(created.shop, former?.object ?? "", bytes ?? Buffer.alloc(0));
  expect(await sweep()).toEqual({ deleted: 0, lost: 0 });
  const lost =
    "SELECT count(*)::int AS n FROM document_bodies WHERE shop = $1 AND lost_at IS NOT NULL";
  expect((await db.pool.query(lost, [created.shop])).rows).toEqual([{ n: 0 }]);
});

test("a lost document is fetched again as soon as somebody wants to open it", async () => {
  await refetch("files");
  text = "corrected";
  await refetch("files");
  const current = (await rows()).find((row) => row.current);
  await stores.files.delete(created.shop, current?.object ?? "");
  await created.takeJobs();
  await expect(opens("files")).rejects.toMatchObject({ code: "document_store_missing" });
  expect(await created.takeJobs()).toContain("refetch-referral");
  // Once for one loss.
  await expect(opens("files")).rejects.toMatchObject({ code: "document_store_missing" });
  expect(await created.takeJobs()).toEqual([]);
  await refetch("files");
  expect(await opens("files")).toBe("%PDF-1.7 corrected");
  // A second reader that learns of the loss now changes nothing any more.
  await created.takeJobs();
  const body = { store: "files", object: current?.object ?? "", key: Buffer.alloc(0) } as const;
  const former = { documentId: current?.id ?? "", body };
  await refetchIfLost(ports("files"), created.shop, former, new DocumentStoreFailed("missing"));
  expect(await created.takeJobs()).toEqual([]);
});

test("a form whose bytes are damaged is brought again, and keeps nobody from the rest", async () => {
  await refetch("files");
  text = "corrected";
  await refetch("files");
  const damaged = await rows();
  for (const { object } of damaged)
    await stores.files.put(created.shop, object ?? "", Buffer.from("<html>"));
  await created.takeJobs();
  const files: string[] = [];
  const taken = await exportEverything(ports("files"), { shop: created.shop, viewer });
  for await (const { name } of taken) files.push(name);
  expect(files).toContain("README.txt");
  expect(await created.takeJobs()).toEqual(["refetch-referral"]);
  // That something lies there is no sign that it opens.
  expect(await sweep()).toEqual({ deleted: 0, lost: 0 });
  await expect(opens("files")).rejects.toMatchObject({ code: "document_store_unreadable" });
  await refetch("files");
  expect(await opens("files")).toBe("%PDF-1.7 corrected");
  // Nobody has the former version any more.
  const pack = await asksForData();
  await expect(pack()).rejects.toMatchObject({ code: "document_store_unreadable" });
  created.clock.advance(DAY_MS);
  await sweep();
  expect(await pack()).toMatchObject({ kind: "done", receipt: { documents: 2 } });
});

test.each([null, "files"] as const)(
  "a package of somebody's data has their form as it was, where it lies in %s",
  async (target) => {
    // The database keeps it deflated.
    text = "Ferritin ".repeat(500);
    await refetch(target);
    const pack = await asksForData();
    expect(await pack()).toMatchObject({ kind: "done", receipt: { documents: 1 } });
    const opened = await openDataExport(created.ports, {
      ...{ shop: created.shop, inboxId: "2", actor: "staff:1" },
      ...{ reason: "patient_asked", caseNumber: null },
    });
    const { documents } = opened.kind === "opened" ? (opened.held as Held) : { documents: [] };
    const forms = documents.map(({ pdf }) => Buffer.from(pdf, "base64").toString());
    expect(forms).toEqual([`%PDF-1.7 ${text}`]);
  },
);

/** The documents in a package of somebody's data. */
interface Held {
  documents: { pdf: string }[];
}

test("a form whose bytes are damaged is brought again by a move that cannot read it", async () => {
  await refetch("files");
  const [row] = await rows();
  await stores.files.put(created.shop, row?.object ?? "", Buffer.from("half"));
  await created.takeJobs();
  const move = () => moveDocuments(ports("s3"), { shop: created.shop, after: null });
  expect(await move()).toEqual({ moved: 0, left: 1 });
  expect(await created.takeJobs()).toEqual(["refetch-referral"]);
  await refetch("s3");
  expect(await opens("s3")).toBe("%PDF-1.7 Ferritin");
  expect(await move()).toEqual({ moved: 0, left: 0 });
});

/** The key of the request as a fault of the disk leaves it: it is there, and opens nothing. */
async function damageKey() {
  await db.pool.query(
    `UPDATE data_keys SET wrapped_key = decode(repeat('00', length(wrapped_key)), 'hex')
     WHERE shop = $1 AND subject = $2`,
    [created.shop, `request ${created.requestId}`],
  );
  db.sealers.forget(created.shop);
}

test("a document whose key is damaged is left where it is, and stops neither the move nor the shop's maintenance", async () => {
  await refetch(null);
  await damageKey();
  const waits = { ...created.ports.waits, reminderDayMs: DAY_MS };
  await maintainShop(
    { ...ports("files"), maintenanceIntervalMs: DAY_MS, waits },
    { shop: created.shop },
  );
  expect(await created.takeJobs()).toContain("move-documents");
  const move = () => moveDocuments(ports("files"), { shop: created.shop, after: null });
  expect(await move()).toEqual({ moved: 0, left: 1 });
});

test("a document outside the database whose key is damaged keeps nobody from the rest", async () => {
  await refetch("files");
  await damageKey();
  await db.pool.query("UPDATE document_bodies SET lost_at = now() WHERE shop = $1", [created.shop]);
  expect(await sweep()).toEqual({ deleted: 0, lost: 0 });
  const pack = await asksForData();
  expect(await pack()).toMatchObject({ kind: "done", receipt: { documents: 1 } });
});

test("a document that was noted as lost and is moved from where it was is lost no more", async () => {
  await refetch("files");
  await db.pool.query("UPDATE document_bodies SET lost_at = now() WHERE shop = $1", [created.shop]);
  await moveDocuments(ports(null), { shop: created.shop, after: null });
  const [row] = await rows();
  expect(row).toMatchObject({ store: null });
  const isHere = { kind: "referral", sourceUuid: created.uuids()[0] ?? "" } as const;
  const has = await db.tenancy.inShop(created.shop, ({ documents }) =>
    documents.hasCurrent(isHere),
  );
  expect(has).toBe(true);
});

test("a document that was lost and came again while the store is listed is not noted as lost", async () => {
  await refetch("files");
  const [first] = await rows();
  await stores.files.delete(created.shop, first?.object ?? "");
  const slow = { ...ports(null), maintenanceIntervalMs: DAY_MS };
  const documentBodies = {
    ...slow.documentBodies,
    async *list(...of: Parameters<typeof slow.documentBodies.list>) {
      yield* slow.documentBodies.list(...of);
      // Somebody opened it, and learned of the loss first.
      await expect(opens("files")).rejects.toMatchObject({ code: "document_store_missing" });
      await created.takeJobs();
      await refetch("files");
    },
  };
  await sweepDocuments({ ...slow, documentBodies }, created.shop);
  expect(await opens("files")).toBe(`%PDF-1.7 ${text}`);
  expect(await created.takeJobs()).not.toContain("refetch-referral");
  const { rows: lost } = await db.pool.query(
    "SELECT FROM document_bodies WHERE shop = $1 AND lost_at IS NOT NULL",
    [created.shop],
  );
  expect(lost).toEqual([]);
});

test("one of few documents that is lost is brought again too, though no other is near it", async () => {
  const [former, current] = await placedApart();
  await stores.files.delete(created.shop, current?.object ?? "");
  let lost = 0;
  for (let hour = 0; hour < 25; hour++) {
    created.clock.advance(DAY_MS / 24);
    const hourly = { ...ports(null), maintenanceIntervalMs: DAY_MS / 24 };
    lost += (await sweepDocuments(hourly, created.shop)).lost;
  }
  expect(lost).toBeGreaterThan(0);
  expect(await created.takeJobs()).toContain("refetch-referral");
  await refetch("files");
  expect(await opens("files")).toBe(`%PDF-1.7 ${text}`);
  expect((await rows()).filter(({ object }) => object === former?.object)).toHaveLength(1);
});

/** A form and its correction whose objects no look of an hour lists together. */
async function placedApart() {
  const byte = (row?: { object: string | null }) =>
    Number.parseInt(row?.object?.slice(0, 2) ?? "", 16);
  await refetch("files");
  for (let n = 0; ; n++) {
    text = `corrected ${n}`;
    await refetch("files");
    const all = await rows();
    const [former, current] = [all.at(-2), all.at(-1)];
    if (Math.abs(byte(former) - byte(current)) > 16) {
      for (const row of all.slice(0, -2))
        await db.pool.query("DELETE FROM document_bodies WHERE document_id = $1", [row.id]);
      return [former, current];
    }
  }
}

test("a download of everything has the rest beside a form that is lost, and says which is not in it", async () => {
  await refetch("files");
  text = "corrected";
  await refetch("files");
  const current = (await rows()).find((row) => row.current);
  const taken = async () => {
    const files = new Map<string, string>();
    for await (const { name, content } of await exportEverything(ports("files"), {
      ...{ shop: created.shop, viewer },
    }))
      files.set(name, String(content));
    return { names: [...files.keys()], readme: files.get("README.txt") };
  };
  const whole = await taken();
  const form = whole.names.find((name) => name.startsWith("forms/")) ?? "";
  expect(whole.readme).toContain("1 PDF.");
  expect(whole.readme).not.toContain("Missing");
  await stores.files.delete(created.shop, current?.object ?? "");
  await created.takeJobs();
  for (const jobs of [["refetch-referral"], []]) {
    const { names, readme } = await taken();
    expect(names).toEqual(whole.names.filter((name) => name !== form));
    expect(readme).toContain("0 PDFs.");
    expect(readme).toMatch(/^Missing from this download:\r$/m);
    expect(readme).toContain(form);
    expect(readme).toMatch(/If it is still missing then, contact .+/);
    // The service is asked for it once.
    expect(await created.takeJobs()).toEqual(jobs);
  }
  await refetch("files");
  expect((await taken()).names).toEqual(whole.names);
  // With nothing there at all it is the same.
  await loseEverything();
  expect((await taken()).names).toEqual(whole.names.filter((name) => name !== form));
  expect(await created.takeJobs()).toEqual(["refetch-referral"]);
});

/** The folder is not mounted, or lost as a whole: nothing of the shop is there, and no mark of an owner. */
async function loseEverything() {
  for (const { object } of await rows())
    if (object) await stores.files.delete(created.shop, object);
  await stores.files.delete("owner", "database");
}

test("a reader whose PDF is in a store that has nothing at all has it soon, and it lies in the database", async () => {
  await refetch("files");
  await loseEverything();
  await created.takeJobs();
  await expect(opens("files")).rejects.toMatchObject({ code: "document_store_missing" });
  expect(await created.takeJobs()).toContain("refetch-referral");
  await refetch("files");
  expect(await opens("files")).toBe("%PDF-1.7 Ferritin");
  expect((await rows()).map(({ store }) => store)).toEqual([null]);
});

test("a store that has nothing at all is told, gets nothing new, and what it had comes again by the regular look", async () => {
  await refetch("files");
  text = "corrected";
  await refetch("files");
  await loseEverything();
  expect(await sweep()).toEqual({ deleted: 0, lost: 2 });
  expect(await created.takeJobs()).toContain("refetch-referral");
  await refetch("files");
  expect(await opens("files")).toBe("%PDF-1.7 corrected");
  text = "corrected again";
  await refetch("files");
  expect((await rows()).map(({ store }) => store)).toEqual(["files", null, null]);
  const move = () => moveDocuments(ports("files"), { shop: created.shop, after: null });
  expect(await move()).toEqual({ moved: 0, left: 0 });
  expect(await objects()).toEqual([]);
  // Once an operator has said that it is the store from now on.
  await own();
  expect(await move()).toEqual({ moved: 2, left: 0 });
  expect((await rows()).map(({ store }) => store)).toEqual(["files", "files", "files"]);
});

test("a store that was away for a while keeps what it had for the backups that point at it", async () => {
  await refetch("files");
  const [row] = await rows();
  const kept = await stores.files.get(created.shop, row?.object ?? "");
  await loseEverything();
  await sweep();
  await refetch("files");
  await stores.files.put(created.shop, row?.object ?? "", kept ?? Buffer.alloc(0));
  await own();
  const old = new Date(created.clock.now().getTime() - 40 * DAY_MS);
  const path = join(folder, created.shop, row?.object?.slice(0, 2) ?? "", row?.object ?? "");
  await utimes(path, old, old);
  expect(await sweep()).toEqual({ deleted: 0, lost: 0 });
  created.clock.advance(31 * DAY_MS);
  expect(await sweep()).toEqual({ deleted: 1, lost: 0 });
});

test("a folder's bytes are the sealed ones, and old ones are left alone while rows point at them", async () => {
  await refetch("files");
  const [row] = await rows();
  const shard = join(folder, created.shop, row?.object?.slice(0, 2) ?? "");
  const [name = ""] = await readdir(shard);
  expect(String(await readFile(join(shard, name)))).not.toContain("Ferritin");
  await utimes(join(shard, name), new Date(0), new Date(0));
  expect(await sweep()).toEqual({ deleted: 0, lost: 0 });
  expect(await opens(null)).toBe("%PDF-1.7 Ferritin");
});
