import { beforeEach, expect, test } from "vitest";
import { openTestDatabase, temporaryKeyFolder } from "../../../test/database/database.ts";
import { createMailJournal } from "./mail-journal.ts";
import { pauseAfterRestore } from "./pause-after-restore.ts";

const db = await openTestDatabase();
const DAY_MS = 86_400_000;
let folder = temporaryKeyFolder();

beforeEach(async () => {
  folder = temporaryKeyFolder();
  await db.pool.query("DELETE FROM database_identity");
  await pauseAfterRestore(db.pool, { asked: false });
});

const startWorker = async () => {
  const journal = createMailJournal(db.pool, folder);
  await journal.beat();
  return journal;
};
/** The database that was here is lost, and this one takes its place. */
const isLost = () => db.pool.query("UPDATE database_identity SET former_identity = identity");
const word = (says: string, at: number) => ({ about: "unit", says, at: new Date(at) });

test("tells the last word of all workers of the lost database, and nothing of its own", async () => {
  const [one, other] = [await startWorker(), await startWorker()];
  one.add([word("form", 1), word("result", 3)]);
  other.add([word("pause", 2)]);
  for (const journal of [one, other]) await journal.beat();
  expect(one.lastOf("unit")).toBeNull();
  expect(one.knownSince()).toBeNull();
  await isLost();
  const successor = await startWorker();
  expect(successor.lastOf("unit")).toEqual({ says: "result", at: new Date(3) });
  expect(successor.knownSince()?.getTime()).toBeGreaterThan(Date.now() - DAY_MS);
});

test("keeps mails of the last seconds, where a process lives through a failover", async () => {
  const journal = await startWorker();
  journal.add([word("form", 1)]);
  await isLost();
  journal.lookAgain();
  expect(journal.knownSince()).toEqual(new Date(0));
  await journal.beat();
  expect(journal.lastOf("unit")?.says).toBe("form");
});

test("knows nothing of the mails of another copy of the lost database", async () => {
  const onTrial = await startWorker();
  onTrial.add([word("form", 1)]);
  await onTrial.beat();
  await db.pool.query("UPDATE database_identity SET former_identity = 'the lost one'");
  const successor = await startWorker();
  expect(successor.lastOf("unit")).toBeNull();
  expect(successor.knownSince()).toBeNull();
});

test("says that everything is known and nothing was mailed until it has looked", () => {
  const journal = createMailJournal(db.pool, folder);
  expect(journal.knownSince()).toEqual(new Date(0));
  expect(journal.lastOf("unit")).toBeNull();
});

test("writes a page again that a full disk refused, and loses none of its mails", async () => {
  let isFull = false;
  const disk = {
    ...folder,
    put: async (name: string, value: Buffer) => {
      if (isFull) throw new Error("no space");
      await folder.put(name, value);
    },
  };
  const journal = createMailJournal(db.pool, disk);
  await journal.beat();
  isFull = true;
  journal.add([word("form", 1)]);
  await expect(journal.beat()).rejects.toThrow("no space");
  isFull = false;
  journal.add([word("result", 2)]);
  await journal.beat();
  const [own = ""] = await folder.list("mailed");
  const [page = ""] = await folder.list(`mailed/${own}`);
  expect((await folder.get(`mailed/${own}/${page}`))?.toString()).toBe(
    "1 unit form\n2 unit result",
  );
});

test("ends pages after four days", async () => {
  const old = Date.now() - 4 * DAY_MS;
  const names = [`${old - 60_000}-old`, `${old + 60_000}-young`];
  for (const name of names) await folder.put(`mailed/another/${name}`, Buffer.from("1 unit form"));
  await startWorker();
  expect(await folder.list("mailed/another")).toEqual([names[1]]);
});
