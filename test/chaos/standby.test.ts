import { expect, test } from "vitest";
import { awaitWritable } from "../../app/platform/database/await-writable.ts";
import { startReplicatedPostgres } from "./replicated-postgres.ts";

test("waits with the start while the database is a standby, and starts once it is promoted", async () => {
  await using postgres = await startReplicatedPostgres();
  const told = Promise.withResolvers<void>();
  let isStarted = false;
  const start = awaitWritable(postgres.standbyUrl, { warn: () => told.resolve() });
  const started = start.then(() => {
    isStarted = true;
  });
  await told.promise;
  expect(isStarted).toBe(false);
  await postgres.failOver();
  await started;
});
