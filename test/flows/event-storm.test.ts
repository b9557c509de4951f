/** Floods of signed events that tell nothing: what they cost the service, what they leave here, and whom they keep waiting. */
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { signEvent } from "../../app/clients/referral-service/events/sign-event.ts";
import { eventually, startWorld, type TestWorld } from "../harness/index.ts";
import { goShopping, only, type Shopping } from "./shopping.ts";

const SIGNING = {
  scheme: "hmac-hex",
  header: null,
  secret: randomBytes(24).toString("hex"),
} as const;
const HOUR_MS = 3_600_000;
const YEARS_MS = 3 * 365 * 24 * HOUR_MS;

let world: TestWorld;
let shopping: Shopping;
let address: string;
/** A referral of ours, whose form is out. */
let own: string;
beforeAll(async () => {
  world = await startWorld({ workers: 1 });
  shopping = goShopping(world);
  const { scheme, secret } = SIGNING;
  await world.pages.saveConnection({
    environment: "staging",
    clientId: world.line.service.client_id,
    clientSecret: world.line.service.client_secret,
    signingScheme: scheme,
    signingSecret: secret,
  });
  address = await world.pages.webhookAddress("staging");
  await world.console.setWebhook({ url: address, secret, scheme });
  const { requests } = await shopping.buyToForm(await shopping.newShopper());
  own = only(
    await world.sql.rows(
      z.object({ uuid: z.string() }),
      "SELECT uuid FROM referrals WHERE request_id = $1",
      [only(requests).id],
    ),
  ).uuid;
  await settled();
});
afterAll(() => world?.stop(), 60_000);

interface Told {
  uuid: string;
  type?: string;
  at?: Date;
}

/** Delivers an event of our own making, signed as the service's are. */
async function tell({ uuid, type = "referral.issued", at = new Date() }: Told): Promise<number> {
  const eventId = randomUUID();
  const body = JSON.stringify({ id: eventId, type, timestamp: at.toISOString(), data: { uuid } });
  const signed = signEvent({ body, eventId, signing: SIGNING, now: new Date() });
  const headers = { "content-type": "application/json", ...signed };
  const response = await fetch(address, { method: "POST", headers, body });
  await response.body?.cancel();
  return response.status;
}

/** Delivers so many at once, and returns the statuses that were answered. */
const tellAll = async (count: number, event: () => Told): Promise<number[]> => {
  const answers = await Promise.all(Array.from({ length: count }, () => tell(event())));
  return [...new Set(answers)];
};

const LOOKS = "('refetch-referral', 'refetch-result', 'handle-service-event', 'sync-connection')";
const waiting = () =>
  world.sql.count(`SELECT count(*) FROM pgboss.job WHERE name IN ${LOOKS} AND state < 'completed'`);
/** All that a flood could leave behind, beside the lines of the inbox, which are cleared away as all others. */
const left = () =>
  world.sql.rows(
    z.object({ what: z.string(), since: z.string() }),
    `SELECT name || ' ' || state || ', tries: ' || retry_count AS what, 'due in ' || (start_after - now()) AS since
       FROM pgboss.job WHERE name IN ${LOOKS}
     UNION ALL SELECT 'outbox ' || name, coalesce(start_after::text, '') FROM outbox
     UNION ALL SELECT 'unreadable', '' FROM unreadable_entries
     UNION ALL SELECT 'inbox ' || topic, '' FROM inbox WHERE body_sealed IS NOT NULL`,
  );
const settled = () =>
  eventually(async () => expect(await left()).toEqual([]), { timeoutMs: 120_000 });
const referrals = () => world.sql.count("SELECT count(*) FROM referrals");
const inboxLines = () => world.sql.count("SELECT count(*) FROM inbox WHERE source = 'service'");

/** The referrals and results that the service was asked for one by one while something was done. */
async function readsOf(work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    const { calls } = await world.console.stats();
    return (calls["GET /v1/referrals/{uuid}"] ?? 0) + (calls["GET /v1/results/{uuid}"] ?? 0);
  };
  const before = await count();
  await work();
  await settled();
  return (await count()) - before;
}

/** The service changes our referral, and tells of it. Resolves once that is stored here. */
async function hear(status: string): Promise<void> {
  await world.console.setStatus(own, status);
  const stored = "SELECT count(*) FROM referrals WHERE uuid = $1 AND status = $2";
  await eventually(async () => expect(await world.sql.count(stored, [own, status])).toBe(1), {
    timeoutMs: 90_000,
    intervalMs: 50,
  });
}

test("news of a patient's form comes before hundreds of events about what nobody here knows, at a service that limits its calls", async () => {
  const known = await referrals();
  await world.console.setFaults({ rateLimit: { limit: 25, windowMs: 1000 } });
  onTestFinished(async () => void (await world.console.setFaults({})));
  expect(await tellAll(200, () => ({ uuid: randomUUID() }))).toEqual([200]);
  await hear("INSUFFICIENT_DATA");
  // The flood is still being asked for.
  expect(await waiting()).toBeGreaterThan(20);
  await world.console.setFaults({});
  await settled();
  expect(await referrals()).toBe(known);
});

test.each([
  ["a referral", "referral.issued"],
  ["a new referral", "referral.created"],
  ["a result", "result.complete"],
])(
  "200 events, each about %s that nobody here knows, are one call each and leave nothing",
  async (_, type) => {
    const known = await referrals();
    const reads = await readsOf(async () => {
      expect(await tellAll(200, () => ({ uuid: randomUUID(), type }))).toEqual([200]);
    });
    expect(reads).toBe(200);
    expect(await referrals()).toBe(known);
  },
);

test("one event under twenty ids is a call or two, whether or not it is about ours", async () => {
  const unknown = randomUUID();
  for (const uuid of [own, unknown])
    expect(
      await readsOf(async () => expect(await tellAll(20, () => ({ uuid }))).toEqual([200])),
      // A busy machine takes them in over some seconds.
    ).toBeLessThanOrEqual(6);
});

test("what another system of the organisation orders is asked for, and not stored", async () => {
  const known = await referrals();
  const { tests } = shopping.product("tests").mapsTo;
  const patient = shopping.patient();
  await world.service.createReferral({
    ...patient,
    tests,
    referenceNumber: "not ours",
    metadata: {},
  });
  const [made] = await world.service.recentReferrals(1);
  const uuid = made?.uuid ?? "";
  const reads = await readsOf(async () =>
    expect(await tellAll(200, () => ({ uuid }))).toEqual([200]),
  );
  expect(reads).toBeLessThanOrEqual(10);
  expect(await referrals()).toBe(known);
});

test("an event that says it is years old is refused and leaves nothing; one from the future is followed as any other", async () => {
  const lines = await inboxLines();
  const old = new Date(Date.now() - YEARS_MS);
  const reads = await readsOf(async () =>
    expect(await tellAll(100, () => ({ uuid: randomUUID(), at: old }))).toEqual([401]),
  );
  expect(reads).toBe(0);
  expect(await inboxLines()).toBe(lines);
  const later = new Date(Date.now() + YEARS_MS);
  expect(await readsOf(() => tellAll(100, () => ({ uuid: randomUUID(), at: later })))).toBe(100);
  // The news after it is heard all the same.
  await hear("ISSUED");
});
