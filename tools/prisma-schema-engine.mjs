#!/usr/bin/env node
/**
 * Prisma's schema engine without its native binary, which comes from a download host of Prisma's own.
 *
 * The CLI starts this program in the binary's place (prisma.config.ts) and speaks JSON-RPC with it over
 * standard input and output. The work is done by the WebAssembly build of the same engine, published on npm,
 * over the `pg` driver adapter. Migrations keep Prisma's own format. See docs/decisions/0003.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as engineGlue from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

/**
 * A script of a migration may rewrite a large table, which takes longer than any statement of the app. A server that
 * is gone without a word is noticed all the same.
 */
const LIMITS = {
  connectionTimeoutMillis: 5_000,
  query_timeout: Number(process.env.PATHWAY_MIGRATION_TIMEOUT_MS || 15 * 60_000),
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
};

/**
 * A script that waits for a lock has everybody wait behind it who wants the same table, messages that come in too: somebody's
 * dump would stop them for as long as it takes. So it waits for a moment only, lets them pass, and is tried again.
 */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_AGAIN_MS = 3_000;
const LOCK_TIMED_OUT = "55P03";
/** An operator or a host sets these of the login for its usual statements. Said before a script: a limit holds from a statement's start. */
const SETTINGS =
  "SET statement_timeout = 0; SET search_path = public; SET standard_conforming_strings = on";

/** The engine itself notes it in a statement of its own, which does not come when it is killed before. */
const NOTE_AS_FINISHED = `DO $$ BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL;
  END IF;
END $$`;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { datasource: { type: "string" }, datamodels: { type: "string", multiple: true } },
});
const databaseUrl = flags.datasource && JSON.parse(flags.datasource).url;

/**
 * The address as fields, read as `pg` reads it everywhere else: TLS, sockets and what is escaped. A connection string would
 * override the name of another database.
 */
function connectionFields() {
  const { host, port, user, password, ssl, database, connectionParameters } = new pg.Client({
    connectionString: databaseUrl,
  });
  return { host, port, user, password, ssl, database, options: connectionParameters.options };
}

if (positionals[0] === "cli") await runCliCommand(positionals[1]);
else await serveJsonRpc();

/** The one-shot commands by which the CLI checks, creates and drops a database. */
async function runCliCommand(command) {
  process.stderr.write("\n"); // the CLI skips the first line
  try {
    if (command === "can-connect-to-database") await onDatabase(connectionFields(), () => {});
    else if (command === "create-database") await createDatabase();
    else if (command === "drop-database")
      await onMaintenanceDatabase((name) => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    else throw new Error(`unknown command ${command}`);
    logLine("INFO", "ok");
    process.exit(0);
  } catch (error) {
    const codes = { "3D000": "P1003", ECONNREFUSED: "P1001" };
    logLine("ERROR", String(error.message), { error_code: codes[error.code] ?? "P1010" });
    process.exit(1);
  }
}

async function createDatabase() {
  try {
    await onMaintenanceDatabase((name) => `CREATE DATABASE ${name}`);
  } catch (error) {
    const alreadyThere = ["42P04", "23505"].includes(error.code);
    if (!alreadyThere) throw error;
  }
}

/** Runs `sql(quoted name of our database)` on the server's `postgres` database. */
async function onMaintenanceDatabase(sql) {
  const fields = connectionFields();
  await onDatabase({ ...fields, database: "postgres" }, (client) =>
    client.query(sql(pg.escapeIdentifier(fields.database))),
  );
}

async function onDatabase(fields, work) {
  const client = new pg.Client({ ...LIMITS, ...fields });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function logLine(level, message, extra = {}) {
  const line = {
    timestamp: new Date(),
    level,
    fields: { message, ...extra },
    target: "schema_engine::logger",
  };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

async function serveJsonRpc() {
  const engine = await startEngine();
  // Two methods differ in name between the protocol and the WebAssembly build.
  const renamed = { getDatabaseVersion: "version" };
  let printCount = 0;
  const send = (message) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    const { id, method, params } = JSON.parse(line);
    if (!method) continue; // the CLI's answer to one of our print requests
    try {
      const result = await engine[renamed[method] ?? method](params);
      if (method === "diff" && result?.stdout)
        send({ id: 100_000 + ++printCount, method: "print", params: { content: result.stdout } });
      send({ id, result: result ?? {} });
    } catch (error) {
      send({
        id,
        error: {
          code: 4466,
          message: "An error happened. Check the data field for details.",
          data: errorData(error),
        },
      });
    }
  }
  process.exit(0);
}

/** The engine reports user errors as JSON in the message; anything else is passed as it is. */
function errorData(error) {
  try {
    return JSON.parse(error.message);
  } catch {
    return {
      is_panic: false,
      message: error.message,
      backtrace: error.stack,
      meta: null,
      error_code: error.code,
    };
  }
}

async function startEngine() {
  const path = createRequire(import.meta.url).resolve(
    "@prisma/schema-engine-wasm/schema_engine_bg",
  );
  const module = new WebAssembly.Module(readFileSync(path.replace(/\.js$/, ".wasm")));
  const { exports } = new WebAssembly.Instance(module, { "./schema_engine_bg.js": engineGlue });
  engineGlue.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
  const datamodels = flags.datamodels?.map((path) => [path, readFileSync(path, "utf8")]);
  const debug = (line) => process.env.DEBUG && process.stderr.write(`${line}\n`);
  const adapter = databaseUrl && bindMigrationAwareSqlAdapterFactory(migrationAdapter());
  return engineGlue.SchemaEngine.new({ datamodels }, debug, adapter);
}

/** The driver adapter, with three faults of @prisma/adapter-pg 7.10 worked around. */
function migrationAdapter() {
  // Catalogue columns of PostgreSQL's internal "char" type are not mapped: present them as text.
  const asText = (results) => {
    for (const result of [results].flat())
      for (const field of result?.fields ?? []) {
        if (field.dataTypeID === 18) field.dataTypeID = 25;
        else if (field.dataTypeID === 1002) field.dataTypeID = 1009;
      }
    return results;
  };
  class CatalogueClient extends pg.Client {
    query(...args) {
      const callback = args.at(-1);
      if (typeof callback === "function")
        return super.query(...args.slice(0, -1), (error, results) =>
          callback(error, asText(results)),
        );
      const answer = super.query(...args);
      return typeof answer?.then === "function" ? answer.then(asText) : answer;
    }
  }
  const connection = {
    ...LIMITS,
    ...connectionFields(),
    Client: CatalogueClient,
    max: 1,
    idleTimeoutMillis: 0,
  };
  // Scripts are split at every ";", which breaks function bodies: send them whole. Several statements that are sent at once are
  // one transaction, so that a migration is noted with what it did, or neither is there.
  const whole = (session) => {
    session.executeScript = async (script) => {
      const givesUpAt = performance.now() + LIMITS.query_timeout;
      for (;;) {
        try {
          await session.client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
          await session.client.query(`${script}\n;${NOTE_AS_FINISHED}`);
          return;
        } catch (error) {
          if (error.code !== LOCK_TIMED_OUT || performance.now() > givesUpAt)
            return session.onError(error);
          await delay(LOCK_AGAIN_MS);
        }
      }
    };
    return session;
  };
  return new (class extends PrismaPg {
    async connect() {
      const session = whole(await super.connect());
      await session.client.query(SETTINGS);
      return session;
    }
    // The adapter drops its shadow database while still connected to it.
    async connectToShadowDb() {
      const database = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
      await onMaintenanceDatabase(() => `CREATE DATABASE "${database}"`);
      const session = whole(await new PrismaPg({ ...connection, database }).connect());
      const disconnect = session.dispose.bind(session);
      session.dispose = async () => {
        await disconnect();
        await onMaintenanceDatabase(() => `DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`);
      };
      return session;
    }
  })(connection);
}
