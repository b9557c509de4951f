import { afterAll, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { SILENT_LOOP } from "../../test/database/vitals.ts";
import { createLogger } from "../platform/logger.ts";
import { watchDueJobs } from "./due-jobs.ts";
import { prepared, startEngine } from "./engine.ts";

const NAMES = ["create-referral", "send-mail", "refetch-referral"];
const database = await openTestDatabase();
const engine = await startEngine({
  ...{ databaseUrl: database.url, logger: createLogger("silent"), poolSize: 2 },
});
afterAll(() => engine.stop());

test("kinds of work of which a job is due are told, those whose jobs wait for later are not", async () => {
  const told = new Set<string>();
  const insert = (name: string, startAfter: number) =>
    engine.boss.insert(name, [{ data: {}, singletonKey: "one", startAfter }]);
  await insert("create-referral", 3_600);
  await insert("send-mail", 1);
  const watch = watchDueJobs({
    ...{ db: prepared(engine.pool), names: NAMES, loop: SILENT_LOOP },
    onDue: (name) => told.add(name),
  });
  onTestFinished(() => watch.stop());
  await expect.poll(() => [...told], { timeout: 10_000 }).toEqual(["send-mail"]);
});
