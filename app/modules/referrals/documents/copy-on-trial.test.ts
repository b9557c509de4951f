import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { startS3 } from "../../../../test/database/s3-server.ts";
import { createDocumentBodies } from "../../../clients/documents/document-bodies.ts";
import { createFileStore } from "../../../clients/documents/file-store.ts";
import { createS3Store } from "../../../clients/documents/s3-store.ts";
import { readOwner } from "../../../clients/documents/store-owner.ts";
import { runDocuments } from "../../../commands/run-documents.ts";
import { readDocumentsId, shopIn } from "../../../platform/database/documents-id.ts";
import { pauseAfterRestore } from "../../../platform/database/pause-after-restore.ts";
import { createLogger } from "../../../platform/logger.ts";
import { openDocument } from "../../access/open-document.ts";
import { gid } from "../../kernel/ids.ts";
import { eraseShop } from "../../privacy/erase-shop.ts";
import { createShopEraser } from "../../privacy/postgres/shop-eraser.ts";
import { moveDocuments } from "../move-documents.ts";
import { refetchReferral } from "../referrals/refetch-referral.ts";
import { sweepDocuments } from "../sweep-documents.ts";

const db = await openTestDatabase();
const folder = await mkdtemp(join(tmpdir(), "pathway-documents-"));
const s3 = await startS3();
afterAll(async () => {
  await s3.stop();
  await rm(folder, { recursive: true, force: true });
});
const stores = { files: createFileStore(folder), s3: createS3Store(s3.settings) };
const logger = createLogger("silent");
const settings = {
  DATABASE_URL: db.url,
  PATHWAY_DOCUMENTS_DIR: folder,
  PATHWAY_S3_ENDPOINT: s3.settings.endpoint,
  PATHWAY_S3_BUCKET: s3.settings.bucket,
  PATHWAY_S3_REGION: s3.settings.region,
  PATHWAY_S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
  PATHWAY_S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
};
const DAY_MS = 86_400_000;
const WHOLE = { from: "00000000-0000-0000-0000-000000000000", until: null };
const FORM_URL = "https://service.example/form.pdf";

describe.each(["files", "s3"] as const)("%s", (target) => {
  let created: Awaited<ReturnType<typeof startCreated>>;
  let text: string;

  /** An original, whose store is its own by the first form that it stored there. */
  beforeEach(async () => {
    await db.pool.query("DELETE FROM database_identity");
    await pauseAfterRestore(db.pool, { asked: false });
    await stores[target].delete("owner", "database");
    // A store in which documents lie already does not get another owner by itself.
    await db.pool.query("DELETE FROM document_bodies");
    text = "Ferritin";
    created = await startCreated(db);
    const uuid = created.uuids()[0] ?? "";
    created.service.set(uuid, { status: "ISSUED", referralAttachment: FORM_URL });
    await refetch();
  });

  const bodies = (databaseId = () => readDocumentsId(db.pool)) =>
    createDocumentBodies({
      ...{ target, stores, databaseId, logger },
      isUsed: async (store) => (await shopIn(db.pool, store)) !== null,
    });
  const ports = () => ({
    ...created.ports,
    documentBodies: bodies(),
    maintenanceIntervalMs: DAY_MS,
    attachments: {
      download: async () => ({ kind: "pdf" as const, bytes: Buffer.from(`%PDF-1.7 ${text}`) }),
    },
  });
  const refetch = () =>
    refetchReferral(ports(), {
      ...{ shop: created.shop, environment: "staging" },
      uuid: created.uuids()[0] ?? "",
    });
  const sweep = () => sweepDocuments(ports(), created.shop);
  const move = () => moveDocuments(ports(), { shop: created.shop, after: null });
  /** So late that what nothing points at is swept. */
  const later = () =>
    created.clock.advance(Date.now() - created.clock.now().getTime() + 31 * DAY_MS);
  async function rows() {
    const found = await db.pool.query<{ id: string; store: string | null }>(
      `SELECT d.id, b.store FROM documents d
       JOIN document_bodies b ON b.shop = d.shop AND b.document_id = d.id
       WHERE d.shop = $1 ORDER BY d.version`,
      [created.shop],
    );
    return found.rows;
  }
  async function opens() {
    const documentId = (await rows()).at(-1)?.id ?? "";
    const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
    const opened = await openDocument(ports(), { shop: created.shop, viewer, documentId });
    return opened && String(opened.pdf);
  }
  async function objects() {
    const names: string[] = [];
    for await (const { name } of stores[target].list(created.shop, WHOLE)) names.push(name);
    return names;
  }
  /** Whatever the original stores after the copy was made: no row of the copy points at it. */
  const storedSince = () => bodies().place(created.shop, Buffer.from("%PDF-1.7 of the original"));
  /** A dump that was restored beside the original, and a process of it that has started. */
  async function becomeCopy() {
    await db.pool.query("UPDATE database_identity SET identity = 'the original'");
    await pauseAfterRestore(db.pool, { asked: false });
  }
  async function claim() {
    const said: string[] = [];
    const variables = { ...settings, PATHWAY_DOCUMENTS: target };
    const code = await runDocuments(["claim"], variables, (line) => said.push(line));
    return { code, said };
  }

  test("a copy on trial opens documents, and deletes, moves and stores none in the original's store", async () => {
    await storedSince();
    const before = await objects();
    expect(before).toHaveLength(2);
    await becomeCopy();
    later();
    expect(await sweep()).toEqual({ deleted: 0, lost: 0 });
    for (const object of before)
      expect(await bodies().delete(created.shop, { store: target, object })).toBe(false);
    expect(await opens()).toBe("%PDF-1.7 Ferritin");
    // Nobody waits for a form meanwhile.
    text = "corrected";
    await refetch();
    expect((await rows()).map(({ store }) => store)).toEqual([target, null]);
    expect(await move()).toEqual({ moved: 0, left: 0 });
    expect(await opens()).toBe("%PDF-1.7 corrected");
    expect(await objects()).toEqual(before);
  });

  test("deletes nothing before a process has noticed that the database is a copy", async () => {
    await storedSince();
    const before = await objects();
    await db.pool.query("UPDATE database_identity SET identity = 'the original'");
    for (const object of before)
      expect(await bodies().delete(created.shop, { store: target, object })).toBe(false);
    expect(await objects()).toEqual(before);
  });

  test("an erasure of the shop in a copy leaves the original's objects", async () => {
    await storedSince();
    const before = await objects();
    await becomeCopy();
    const { shop, clock, ports: own } = created;
    await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
    const at = clock.now();
    // Longer than patients who wait may hold it up.
    clock.advance(20 * DAY_MS);
    const request = {
      inboxId: "1",
      kind: "shop_redacted" as const,
      askedAt: at,
      openedAt: at,
      doneAt: null,
      receipt: null,
      hasExport: false,
    };
    const storeAccess = { check: async () => "refused" as const, hasCustomer: async () => false };
    const shopEraser = createShopEraser(db.pool);
    const outcome = await eraseShop(
      { ...own, documentBodies: bodies(), storeAccess, shopEraser },
      { shop, request: { ...request, customerId: null, orderIds: [] } },
    );
    expect(outcome).toMatchObject({ kind: "done", receipt: { document_bodies: 1 } });
    expect(await objects()).toEqual(before);
  });

  test("a snapshot of the disk, of which the operator says that it is one, changes nothing either", async () => {
    const [object = ""] = await objects();
    await pauseAfterRestore(db.pool, { asked: true });
    expect(await bodies().delete(created.shop, { store: target, object })).toBe(false);
    expect(await storedSince()).toBeInstanceOf(Buffer);
  });

  test("a copy does not become the owner of a store that has none", async () => {
    await stores[target].delete("owner", "database");
    await becomeCopy();
    expect(await storedSince()).toBeInstanceOf(Buffer);
    expect(await readOwner(stores[target])).toBeNull();
  });

  test("once an operator has said that the restored database is the one, it moves and sweeps, and the former may only read", async () => {
    const former = await readDocumentsId(db.pool);
    await storedSince();
    await becomeCopy();
    text = "corrected";
    await refetch();
    expect(await claim()).toMatchObject({ code: 0 });
    expect(await move()).toEqual({ moved: 1, left: 0 });
    expect((await rows()).map(({ store }) => store)).toEqual([target, target]);
    later();
    expect(await sweep()).toEqual({ deleted: 1, lost: 0 });
    expect(await opens()).toBe("%PDF-1.7 corrected");
    const [object = ""] = await objects();
    const original = bodies(async () => former);
    expect(await original.delete(created.shop, { store: target, object })).toBe(false);
    expect(await original.place(created.shop, Buffer.from("%PDF-1.7"))).toBeInstanceOf(Buffer);
    expect(await objects()).toHaveLength(2);
  });
});
