import { z } from "zod";
import { createCircuitBreaker } from "../../app/clients/referral-service/circuit-breaker.ts";
import { createReferralServiceClient } from "../../app/clients/referral-service/client.ts";
import {
  sharedConnections,
  type Transport,
} from "../../app/clients/referral-service/http/transport.ts";
import { inSeries } from "../../app/clients/referral-service/middleware.ts";
import { createRateLimiter } from "../../app/clients/referral-service/rate-limiter.ts";
import { createTokenSource } from "../../app/clients/referral-service/tokens/token-source.ts";
import { syncConnection } from "../../app/modules/referrals/sync-connection.ts";
import { systemClock } from "../../app/platform/clock.ts";
import { createLogger } from "../../app/platform/logger.ts";
import { createTenancy } from "../../app/tenancy.ts";
import { benchPostgres, SHOP, startHost } from "./host.ts";
import { type ListedReferral, storeReferrals } from "./known-referrals.ts";
import { type ListedService, listedService } from "./listed-service.ts";
import { rounded } from "./numbers.ts";
import { PAGE } from "./syncing.ts";

const ROUNDS = 5;
const WARM_UPS = 2;
/** One of so many referrals has changed without an event. */
const CHANGED_EVERY = 1_000;

const page = z.object({
  cursor: z.object({ cursor: z.string().nullish(), resultCount: z.number() }),
  referrals: z.array(z.object({ uuid: z.string(), createdAt: z.string(), updatedAt: z.string() })),
});

/** By turns first, whole walks of the app's service sync and of a bare loop over the same list: `node list-walks.ts REFERRALS`. */
async function walkByTurns(referrals: number) {
  await using listed = await listedService(referrals);
  await using postgres = await benchPostgres();
  await using host = await startHost(postgres.url, async () => {}, { works: false });
  const { database, sealers } = host;
  const { pool } = database;
  const tenancy = createTenancy({ database, sealers, onJobs: () => {} });
  let gets = 0;
  const shared = sharedConnections();
  const counting: Transport = (request) => {
    gets++;
    return shared(request);
  };
  const { service, tokens } = clientOf(listed, counting);
  const services = { forConnection: async () => service };
  const waits = {
    createTimeoutMs: 120_000,
    quarantineMs: 900_000,
    documentOverdueMs: 600_000,
    syncIntervalMs: 60_000,
    reminderDayMs: 86_400_000,
    mailWindowMs: 0,
    escalationHourMs: 3_600_000,
    erasureDelayMs: 0,
  };
  const ports = { tenancy, services, clock: systemClock, waits, logger: createLogger("warn") };
  const target = { shop: SHOP, environment: "staging" } as const;

  await pool.query("INSERT INTO shops (shop) VALUES ($1)", [SHOP]);
  await tenancy.inShop(SHOP, (tenant) =>
    tenant.connections.save({
      environment: "staging",
      credentials: listed.credentials,
      signing: { scheme: "none", header: null, secret: null },
    }),
  );

  const bareWalk = async (visit: (entries: ListedReferral[]) => void = () => {}) => {
    const token = await tokens.token();
    const meter = startMeter();
    let cursor: string | null | undefined;
    do {
      const query = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
      const answer = await fetch(`${listed.baseUrl}/v1/referrals?count=${PAGE}&sort=desc${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const body: z.infer<typeof page> = JSON.parse(await answer.text());
      visit(body.referrals);
      cursor = body.cursor.resultCount < PAGE ? null : body.cursor.cursor;
    } while (cursor);
    return meter();
  };
  /** Runs of the service sync from the list's beginning to its end, as the engine would make them one after another. */
  const sync = async () => {
    await tenancy.inShop(SHOP, (tenant) => tenant.serviceSync.abandon("staging"));
    await pool.query("TRUNCATE outbox");
    gets = 0;
    const meter = startMeter();
    let repaired = 0;
    for (;;) {
      const outcome = await syncConnection(ports, target);
      if (outcome.kind !== "goes_on" && outcome.kind !== "synced") throw new Error(outcome.kind);
      repaired += outcome.repaired;
      if (outcome.kind === "synced") return { ...meter(), gets, repaired };
    }
  };

  /** Stores what the service lists, and returns of how many it has a later state. All that was read is let go again. */
  const storeAll = async () => {
    const all: ListedReferral[] = [];
    await bareWalk((entries) => void all.push(...entries));
    if (all.length !== referrals) throw new Error(`${all.length} referrals were listed`);
    page.shape.referrals.parse(all);
    await storeReferrals(pool, SHOP, all);
    const { rowCount } = await pool.query(
      `UPDATE referrals SET service_updated_at = service_updated_at - interval '1 minute'
       WHERE uuid = ANY($1)`,
      [all.filter((_, n) => n % CHANGED_EVERY === 0).map(({ uuid }) => uuid)],
    );
    return rowCount;
  };

  const changed = await storeAll();
  // The process has been at work for a while, as a real one.
  for (let walk = 0; walk < WARM_UPS; walk++) {
    await sync();
    await bareWalk();
  }
  const rounds: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = round % 2 === 0 ? await bareWalk() : null;
    const own = await sync();
    if (own.repaired !== changed)
      throw new Error(`${own.repaired} of ${changed} changes were found`);
    rounds.push(compare(referrals / PAGE, before ?? (await bareWalk()), own));
  }
  return rounds;
}

interface Reading {
  ms: number;
  /** Processor time of this process. */
  cpuMs: number;
}

function startMeter(): () => Reading {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { ms: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
  };
}

function compare(pages: number, bare: Reading, own: Reading & { gets: number }) {
  return {
    pages,
    gets: own.gets,
    bare_ms: rounded(bare.ms, 0),
    sync_ms: rounded(own.ms, 0),
    ratio: rounded(own.ms / bare.ms, 3),
    bare_cpu_us: rounded((bare.cpuMs * 1000) / pages, 0),
    sync_cpu_us: rounded((own.cpuMs * 1000) / pages, 0),
  };
}

function clientOf({ baseUrl, authUrl, credentials }: ListedService, counting: Transport) {
  const clock = systemClock;
  const store = { read: async () => null, write: async () => {} };
  const lock = <T>(work: () => Promise<T>) => work();
  const tokens = createTokenSource({
    authUrl,
    credentials,
    store,
    lock,
    transport: sharedConnections(),
    clock,
  });
  const middleware = inSeries(createCircuitBreaker({ clock }), createRateLimiter({ clock }));
  const service = createReferralServiceClient({
    environment: "staging",
    baseUrl,
    vendor: "service",
    transport: counting,
    clock,
    middleware,
    tokens,
  });
  return { service, tokens };
}

console.log(JSON.stringify(await walkByTurns(Number(process.argv[2]))));
