import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { z } from "zod";
import { migrateDatabase } from "../../app/migrate-database.ts";
import { dataFolder, makeDataFolder } from "../setup/data-folder.ts";
import { administer, databaseUrl, dropDatabase } from "./administer.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The server of this run and the migrated database on it that test files copy. */
    testDatabase: {
      serverUrl: string;
      template: string;
      /** For what files of this run make once for all of them. */
      folder: string;
    };
  }
}

/**
 * Once for each run: a server (DATABASE_URL's, or a private throw-away one) and on it one migrated database,
 * which every test file copies (`openTestDatabase`).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => {} }
    : await startThrowAwayPostgres();
  const template = `pathway_test_${randomUUID().slice(0, 8)}`;
  try {
    await administer(server.url, `CREATE DATABASE ${template}`);
    await migrateDatabase(databaseUrl(server.url, template));
  } catch (error) {
    await server.stop();
    throw error;
  }
  const folder = makeDataFolder("pathway-run-");
  project.provide("testDatabase", { serverUrl: server.url, template, folder });
  return async () => {
    rmSync(folder, { recursive: true, force: true });
    await dropDatabase(server.url, template);
    await server.stop();
  };
}

const readyLine = z.object({ database_url: z.string() });

async function startThrowAwayPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const script = fileURLToPath(new URL("./postgres-on-leash.ts", import.meta.url));
  const dir = join(dataFolder(), `pathway-test-${process.pid}-${randomUUID().slice(0, 8)}`);
  const child = spawn(process.execPath, [script, dir], {
    // The pipe is the leash: it breaks when this process ends, in whatever way.
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const exited = once(child, "exit");
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), "line").then(([text]) => String(text)),
    exited.then(() => null),
  ]);
  if (line === null) throw new Error("PostgreSQL did not start; its own words are above");
  return {
    url: readyLine.parse(JSON.parse(line)).database_url,
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}
