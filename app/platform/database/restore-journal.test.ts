import { beforeEach, expect, test } from "vitest";
import { openTestDatabase, temporaryKeyFolder } from "../../../test/database/database.ts";
import { pauseAfterRestore } from "./pause-after-restore.ts";
import { createRestoreJournal } from "./restore-journal.ts";

const db = await openTestDatabase();
const DAY_MS = 86_400_000;
let folder = temporaryKeyFolder();

beforeEach(async () => {
  folder = temporaryKeyFolder();
  await db.pool.query("DELETE FROM database_identity");
  await pauseAfterRestore(db.pool, { asked: false });
});

const start = () => createRestoreJournal(db.pool, folder);
/** This database takes the place of the one that was here, as a snapshot of a disk does too. */
const isRestored = () => pauseAfterRestore(db.pool, { asked: true });
const at = (ms: number) => new Date(ms);

test("tells what any process noted once a database is lost, and nothing before", async () => {
  const [one, other] = [start(), start()];
  one.note(["a"], at(1));
  other.note(["b", "c"], at(2));
  for (const journal of [one, other]) await journal.beat();
  expect(await one.notedAt("b")).toBeNull();
  await isRestored();
  const successor = start();
  expect(await successor.notedAt("a")).toEqual(at(1));
  expect(await successor.notedAt("c")).toEqual(at(2));
  expect(await successor.notedAt("d")).toBeNull();
});

test("knows its own last seconds where the process lives through a failover", async () => {
  const journal = start();
  expect(await journal.notedAt("a")).toBeNull();
  journal.note(["a"], at(1));
  await isRestored();
  journal.lookAgain();
  expect(await Promise.all([journal.notedAt("a"), journal.notedAt("a")])).toEqual([at(1), at(1)]);
});

test("answers nobody while the database is another one than was noted, or the folder is away", async () => {
  await isRestored();
  const away = createRestoreJournal(db.pool, {
    ...folder,
    list: () => Promise.reject(new Error("the folder is away")),
  });
  await expect(away.notedAt("a")).rejects.toThrow("away");
  await db.pool.query("UPDATE database_identity SET identity = 'another'");
  await expect(start().notedAt("a")).rejects.toThrow();
});

test("asks no folder while no database is lost, and takes no write to know its own words afterwards", async () => {
  const broken = () => Promise.reject(new Error("the folder is away"));
  const away = createRestoreJournal(db.pool, { ...folder, list: broken, put: broken });
  away.note(["a"], at(1));
  expect(await away.notedAt("a")).toBeNull();
  const readOnly = createRestoreJournal(db.pool, { ...folder, put: broken });
  readOnly.note(["a"], at(1));
  await expect(readOnly.beat()).rejects.toThrow("away");
  readOnly.note(["b"], at(2));
  await isRestored();
  readOnly.lookAgain();
  expect(await readOnly.notedAt("a")).toEqual(at(1));
  expect(await readOnly.notedAt("b")).toEqual(at(2));
});

test("writes a page again that a full disk refused, and none while nothing ends", async () => {
  let isFull = true;
  const journal = createRestoreJournal(db.pool, {
    ...folder,
    put: async (name, value) => {
      if (isFull) throw new Error("no space");
      await folder.put(name, value);
    },
  });
  await journal.beat();
  expect(await folder.list("ended")).toEqual([]);
  journal.note(["a"], at(1));
  await expect(journal.beat()).rejects.toThrow("no space");
  isFull = false;
  journal.note(["b"], at(2));
  await journal.beat();
  const [page = ""] = await folder.list("ended");
  expect((await folder.get(`ended/${page}`))?.toString()).toBe("1 a\n2 b");
});

test("ends pages after the longest life of a share", async () => {
  const old = Date.now() - 92 * DAY_MS;
  const names = [`${old - 60_000}-old`, `${old + 60_000}-young`];
  for (const name of names) await folder.put(`ended/${name}`, Buffer.from("1 a"));
  await start().beat();
  expect(await folder.list("ended")).toEqual([names[1]]);
});
