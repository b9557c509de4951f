import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { installedShop } from "../../test/database/seed.ts";
import { createFileStore } from "../clients/documents/file-store.ts";
import { readOwner, setOwner } from "../clients/documents/store-owner.ts";
import { INSTALLATION } from "../modules/kernel/access-chain.ts";
import { readDocumentsId } from "../platform/database/documents-id.ts";
import { pauseAfterRestore } from "../platform/database/pause-after-restore.ts";
import { runDocuments } from "./run-documents.ts";

const db = await openTestDatabase();
const folder = await mkdtemp(join(tmpdir(), "pathway-documents-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const store = createFileStore(folder);
const ANOTHER = "00000000-0000-4000-8000-000000000000";

beforeEach(async () => {
  await db.pool.query("DELETE FROM database_identity");
  await pauseAfterRestore(db.pool, { asked: false });
  await store.delete("owner", "database");
});

async function run(args: string[], settings: Record<string, string> = {}) {
  const said: string[] = [];
  const variables = {
    DATABASE_URL: db.url,
    PATHWAY_DOCUMENTS: "files",
    PATHWAY_DOCUMENTS_DIR: folder,
    ...settings,
  };
  const code = await runDocuments(args, variables, (line) => said.push(line));
  return { code, said };
}

test("says whose the store is, and answers 1 where this database may only read it", async () => {
  expect(await run([])).toEqual({ code: 0, said: [`The folder ${folder} has no owner yet.`] });
  await setOwner(store, (await readDocumentsId(db.pool)) ?? "");
  expect(await run([])).toEqual({
    code: 0,
    said: [`The folder ${folder} belongs to this database.`],
  });
  await setOwner(store, ANOTHER);
  const foreign = `The folder ${folder} belongs to another database: this one may only read it.`;
  expect(await run([])).toEqual({ code: 1, said: [foreign] });
  expect(await run([], { PATHWAY_DOCUMENTS: "database" })).toEqual({ code: 0, said: [foreign] });
  await store.delete("owner", "database");
  await pauseAfterRestore(db.pool, { asked: true });
  expect(await run([])).toMatchObject({ code: 1 });
});

test("gives the store to this database under a new id, and writes down that it was told to", async () => {
  await setOwner(store, ANOTHER);
  const former = await readDocumentsId(db.pool);
  expect(await run(["claim"])).toEqual({
    code: 0,
    said: [
      `The folder ${folder} is given to this database.`,
      `The folder ${folder} belongs to this database.`,
    ],
  });
  const id = await readDocumentsId(db.pool);
  expect(id).not.toBe(former);
  expect(await readOwner(store)).toBe(id);
  const { rows } = await db.pool.query(
    "SELECT detail->>'command' AS command FROM access_log WHERE shop = $1",
    [INSTALLATION],
  );
  expect(rows).toEqual([{ command: "documents claim" }]);
});

test("leaves a store alone that nobody has written to, and that nothing goes to", async () => {
  expect(await run(["claim"], { PATHWAY_DOCUMENTS: "database" })).toMatchObject({ code: 0 });
  expect(await readOwner(store)).toBeNull();
});

test("changes nothing while no process has noticed which database this is", async () => {
  await setOwner(store, ANOTHER);
  await db.pool.query("UPDATE database_identity SET identity = 'the original'");
  await expect(run(["claim"])).rejects.toThrow(/Start one, and say this again/);
  expect(await readOwner(store)).toBe(ANOTHER);
});

test("says that a store has nothing of what is to be there: its folder may not be mounted", async () => {
  const shop = await installedShop(db);
  await db.pool.query(
    "INSERT INTO document_bodies (shop, document_id, body_sealed, store, object) VALUES ($1, $2, '', 'files', $2)",
    [shop, ANOTHER],
  );
  const nothing = `The folder ${folder} has nothing of what is to be there. Mount it, or set the right one. Is it lost? Say \`npm run documents claim\`.`;
  expect(await run([])).toEqual({ code: 1, said: [nothing] });
  expect(await run([], { PATHWAY_DOCUMENTS: "database" })).toEqual({ code: 0, said: [nothing] });
  // One of before there were marks.
  await store.put(shop, ANOTHER, Buffer.from("sealed"));
  expect(await run([])).toMatchObject({ code: 0 });
  await store.delete(shop, ANOTHER);
  // Also the former place, from which documents have not moved yet.
  const owned = {
    code: 0,
    said: expect.arrayContaining([expect.stringMatching(/belongs to this/)]),
  };
  expect(await run(["claim"], { PATHWAY_DOCUMENTS: "database" })).toMatchObject(owned);
  await db.pool.query("DELETE FROM document_bodies");
});

test.each([["take"], ["claim", "more"], ["--force"]])(
  "%s is told how to say it",
  async (...args) => {
    await expect(run(args)).rejects.toThrow(/npm run documents claim/);
  },
);
