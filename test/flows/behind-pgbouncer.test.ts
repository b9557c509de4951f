/**
 * Whole worlds behind PgBouncer: orders travel from their payment to the email about their results while the proxy pauses, closes its
 * connections, dies and comes back.
 */
import { chmodSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startPostgres } from "../../tools/embedded-postgres.ts";
import { PGBOUNCERS, type PgBouncer, startPgBouncer } from "../database/pgbouncer.ts";
import { eventually, QUICK_WORLD, type Sql, startWorld, type TestWorld } from "../harness/index.ts";
import { connectSql } from "../harness/sql.ts";
import { makeDataFolder } from "../setup/data-folder.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { mailTo } from "./mailed-links.ts";
import { documentsOf, dueWork, type RequestRow, requestsOf } from "./rows.ts";
import { goShopping, only, type ProductKind, type Shopper } from "./shopping.ts";

/** A call whose answer got lost, or was not noted, is looked for half a minute later. */
const PATIENCE = { timeoutMs: 90_000 };

const PRESENT = PGBOUNCERS.filter(({ path }) => path);
const [OLDEST, NEWEST] = [PRESENT.at(0) ?? PGBOUNCERS[0], PRESENT.at(-1) ?? PGBOUNCERS[1]];

/**
 * The oldest pools sessions and the newest transactions, which is where they differ: `app/pooled-transactions.test.ts` has each in both.
 * Without PostgreSQL's own address everything goes through the proxy, which then has to have a connection for each that the
 * processes open. With it, transactions of 21 clients have four.
 */
const KINDS = [
  { build: OLDEST, mode: "session", connections: 16, isDirect: false, poolSize: "8" },
  { build: NEWEST, mode: "transaction", connections: 4, isDirect: true, poolSize: "15" },
] as const;

describe.skipIf(PRESENT.length === 0).each(KINDS)(
  "behind $build.title that pools by $mode",
  ({ build, mode, connections, isDirect, poolSize }) => {
    const opened: (() => unknown)[] = [];
    let proxy: PgBouncer;
    let world: TestWorld;
    /** PostgreSQL itself, past the proxy. */
    let sql: Sql;
    beforeAll(async () => {
      const folder = makeDataFolder("pathway-behind-");
      opened.push(() => rm(folder, { recursive: true, force: true }));
      // PostgreSQL and the proxy, which may run as another user, must be able to pass through.
      chmodSync(folder, 0o755);
      const flags = ["-c", "fsync=off", "-c", "full_page_writes=off"];
      const postgres = await startPostgres({ dir: join(folder, "postgres"), port: 0, flags });
      opened.push(() => postgres.stop());
      proxy = await startPgBouncer(build, folder, postgres.url, { mode, connections });
      opened.push(() => proxy.kill());
      sql = connectSql(postgres.url);
      opened.push(() => sql.close());
      world = await startWorld({
        ...{ ...QUICK_WORLD, webs: 1, workers: 1 },
        databaseUrl: proxy.url,
        timeoutMs: 150_000,
        ...(isDirect ? { directDatabaseUrl: postgres.url } : {}),
        env: { ...QUICK_WORLD.env, DATABASE_POOL_SIZE: poolSize },
      });
      opened.push(() => world.stop());
    });
    afterAll(async () => {
      for (const close of opened.toReversed()) await close();
    });

    interface Purchase {
      buyer: Shopper;
      order: { id: string };
      units: number;
    }
    const all: Purchase[] = [];
    const shopping = () => goShopping({ ...world, sql });
    async function buy(kind: ProductKind, units = 1): Promise<Purchase> {
      const { newShopper, buy, product } = shopping();
      const buyer = await newShopper();
      const order = await buy(buyer, [[product(kind).variantId, units]]);
      all.push({ buyer, order, units });
      return { buyer, order, units };
    }
    const asked = async ({ order, units }: Purchase): Promise<RequestRow[]> =>
      shopping().requestsWhen(order, units, undefined, PATIENCE.timeoutMs);
    /** As a patient does who is told to try again. */
    const giveDetails = async (purchase: Purchase): Promise<void> => {
      for (const [index, { id }] of (await asked(purchase)).entries())
        await eventually(async () => {
          const own = (await purchase.buyer.api.requests()).find((one) => one.id === id);
          if (own?.state !== "awaiting_details") return;
          await purchase.buyer.api.giveDetails(id, shopping().patient(index));
        }, PATIENCE);
    };
    /** Until each is asked for details by an email that is written down: one that is out, and is not, is sent again. */
    async function areAsked(purchases: readonly Purchase[]): Promise<void> {
      await Promise.all(purchases.map(asked));
      for (const { buyer } of purchases) await mailTo(world, buyer.email, /few details/);
      await eventually(async () => expect(await dueWork(sql)).toEqual([]), PATIENCE);
    }
    const stateAfter = (purchase: Purchase, state: string) =>
      eventually(async () => {
        const own = await purchase.buyer.api.requests();
        expect(own.map((one) => one.state)).toEqual(Array(purchase.units).fill(state));
      }, PATIENCE);
    /** From the details to the email about the results, with one referral for each unit at the service. */
    async function carryThrough(purchases: readonly Purchase[]): Promise<void> {
      await Promise.all(purchases.map(giveDetails));
      await Promise.all(purchases.map((one) => stateAfter(one, "form_ready")));
      // Results that were quicker than this email would take its place.
      for (const { buyer } of purchases) await mailTo(world, buyer.email, /form is ready/);
      const requests = (await Promise.all(purchases.map(asked))).flat();
      for (const { uuid } of await oneReferralEach(world, requests))
        await world.console.sendResults(uuid, { abnormal: true, seed: 7 });
      await Promise.all(purchases.map((one) => stateAfter(one, "results_ready")));
      for (const { buyer } of purchases) await mailTo(world, buyer.email, /something new/);
      await oneReferralEach(world, requests);
    }
    const areReady = (are: boolean) =>
      eventually(async () => {
        const { app, workers } = world.line.admin_urls;
        for (const url of [app, ...workers]) {
          const answer = await fetch(`${url}/readyz`);
          expect(answer.status, await answer.text()).toBe(are ? 200 : 503);
        }
      }, PATIENCE);

    test("orders that come at once travel from their payment to the email about their results", async () => {
      await carryThrough(await Promise.all([buy("bundle", 2), buy("tests"), buy("tests")]));
    });

    test("no order is lost or doubled while the proxy pauses, and closes its connections", async () => {
      const purchases = await Promise.all([buy("bundle"), buy("tests")]);
      await areAsked(purchases);
      // A pause waits for whoever has begun, and a session ends with its process: there everybody is put off instead.
      const paused = proxy.tell(`${mode === "session" ? "KILL" : "PAUSE"} pathway`);
      const other = buy("tests");
      const given = Promise.all(purchases.map(giveDetails));
      await eventually(async () => {
        const clients = await proxy.tell("SHOW CLIENTS");
        expect(clients.filter(({ state }) => state === "waiting").length).toBeGreaterThan(2);
      }, PATIENCE);
      await proxy.tell("RESUME pathway");
      await paused;
      await given;
      await proxy.tell("RECONNECT");
      await carryThrough([...purchases, await other]);
    });

    test("no order is lost or doubled when the proxy dies while referrals are created, and comes back", async () => {
      const purchases = await Promise.all([buy("bundle"), buy("tests"), buy("tests", 2)]);
      await areAsked(purchases);
      await world.console.setFaults({ createDelayMs: 1_500 });
      // Looked for while details are given: a call may be over before those of all are.
      const given = Promise.all(purchases.map(giveDetails));
      await eventually(
        async () => {
          const sending = await sql.count(
            "SELECT count(*) FROM referral_requests WHERE state = 'sending'",
          );
          expect(sending).toBeGreaterThan(0);
        },
        { intervalMs: 20, ...PATIENCE },
      );
      await proxy.kill();
      // The service goes on with what it was sent, and its answers cannot be noted.
      const late = Promise.all([buy("tests"), buy("bundle")]);
      await areReady(false);
      await world.console.setFaults({});
      await proxy.start();
      await areReady(true);
      await given;
      await carryThrough([...purchases, ...(await late)]);
    }, 300_000);

    test("each unit has one of everything, and each patient one email of each kind", async () => {
      const rows = await sql.rows(
        z.object({ request: z.string(), referrals: z.number(), results: z.number() }),
        `SELECT r.reference_number AS request,
                (SELECT count(*)::int FROM referrals f WHERE f.shop = r.shop AND f.request_id = r.id) AS referrals,
                (SELECT count(*)::int FROM results s WHERE s.shop = r.shop AND s.request_id = r.id) AS results
         FROM referral_requests r`,
      );
      expect(rows).toHaveLength(all.reduce((sum, { units }) => sum + units, 0));
      for (const row of rows) expect(row).toMatchObject({ referrals: 1, results: 1 });
      const requests = (
        await Promise.all(all.map(({ order }) => requestsOf(sql, order.id)))
      ).flat();
      expect(requests.map(({ state }) => state)).toEqual(requests.map(() => "created"));
      for (const { id } of requests)
        expect(
          (await documentsOf(sql, id)).map(({ kind, version }) => `${kind} ${version}`),
        ).toEqual(["referral 1", "result 1"]);
      const { referralsByReferenceNumber: counts, calls } = await world.console.stats();
      expect(Object.values(counts)).toEqual(requests.map(() => 1));
      // A worker whose claim was not answered sends nothing. So a second attempt may be the first that the service hears of.
      expect(calls["POST /v1/referrals"]).toBe(requests.length);

      await eventually(async () => expect(await dueWork(sql)).toEqual([]), PATIENCE);
      const mails = await world.store.mail();
      const sent = await sql.count("SELECT count(*) FROM notifications WHERE sent_at IS NOT NULL");
      // An email may tell of several things, and none is told twice.
      expect(mails.length).toBeLessThanOrEqual(sent);
      for (const { buyer, units } of all) {
        const own = mails.filter(({ to }) => to === buyer.email).map(({ subject }) => subject);
        const those = (kind: RegExp) => own.filter((subject) => kind.test(subject));
        // A patient who was quicker than the email is not asked.
        expect(those(/few details/).length).toBeLessThanOrEqual(1);
        if (units > 1) continue;
        expect(those(/form is ready/)).toHaveLength(1);
        expect(those(/something new/)).toHaveLength(1);
      }
    });

    test("nothing of a shop or of a process is left on the proxy's connections", async () => {
      // As many at once as it has for this login, so that each is looked at.
      const clients = await Promise.all(
        Array.from({ length: isDirect ? connections : 1 }, async () => {
          const client = new pg.Client(world.line.database_url);
          await client.connect();
          await client.query("BEGIN");
          return client;
        }),
      );
      const found = await Promise.all(
        clients.map(async (client) => {
          const { rows } = await client.query(
            `SELECT current_setting('role') AS role, entered_shop() AS shop, is_process() AS process,
                    nullif(current_setting('pathway.shop', true), '') AS named,
                    (SELECT count(*)::int FROM pg_prepared_statements) AS statements,
                    (SELECT count(*)::int FROM shops) AS seen`,
          );
          return only(rows);
        }),
      );
      for (const client of clients) await client.end();
      for (const one of found)
        expect(one).toEqual({
          ...{ role: "none", shop: null, process: false, named: null },
          ...{ statements: 0, seen: 0 },
        });
    });
  },
);
