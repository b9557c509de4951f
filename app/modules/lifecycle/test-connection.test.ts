import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { connect, installedShop } from "../../../test/database/seed.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { answer, type Behaviour } from "../../clients/referral-service/testing/start-server.ts";
import { startService } from "../../clients/referral-service/testing/start-service.ts";
import { systemClock } from "../../platform/clock.ts";
import { refreshCatalogue } from "../catalogue/refresh-catalogue.ts";
import { createConnectionSecrets } from "../shops/postgres/connection-secrets.ts";
import { describeTestOutcome } from "./connection-words.ts";
import { testConnection } from "./test-connection.ts";

const db = await openTestDatabase();

/** Returns the settings page's words after a test against a service that behaves so. */
async function toldOf(api: Behaviour, stop = false) {
  const shop = await installedShop(db);
  await connect(db, shop);
  const { client, server } = await startService(api, { client: { timeouts: { otherMs: 1_000 } } });
  if (stop) await server.stop();
  const ports = {
    tenancy: db.tenancy,
    clock: systemClock,
    services: { forConnection: async () => client },
  };
  expect((await testConnection(ports, { shop, environment: "staging" })).kind).toBe("failed");
  const stored = await db.tenancy.inShop(shop, (tenant) => tenant.connections.find("staging"));
  return describeTestOutcome(stored?.lastTestOutcome ?? null, describeFailure);
}

test.each<[string, Behaviour, RegExp, RegExp]>([
  ["a refused sign-in", (_, r) => answer(r, 401, {}), /did not accept/, /new API key/],
  ["nothing allowed", (_, r) => answer(r, 403, {}), /doesn’t let it order/, /may order tests/],
  ["a wrong path", (_, r) => r.writeHead(404).end(), /other than/, /service’s address/],
  ["a firewall", (_, r) => r.writeHead(403).end("<h1>Hi</h1>"), /other than/, /runs Pathway/],
  ["another site", (_, r) => r.writeHead(200).end("<h1>Hi</h1>"), /other than/, /runs Pathway/],
  ["silence", () => {}, /too long/, /Try again in a minute/],
  ["a fault", (_, r) => r.writeHead(500).end(), /internal problem/, /service’s support/],
])("%s is told by what it is, with what helps", async (_, api, sentence, nextStep) => {
  const words = await toldOf(api);
  expect(words?.sentence).toMatch(sentence);
  expect(words?.nextStep).toMatch(nextStep);
});

test("a service that nothing listens for could not be reached", async () => {
  expect((await toldOf(() => {}, true))?.sentence).toMatch(/could not be reached/);
});

test("keeps the rest of the catalogue when one test and one bundle cannot be read, and says which", async () => {
  const shop = await installedShop(db);
  await connect(db, shop);
  let isMended = false;
  const { client } = await startService(({ target }, response) => {
    const good = { id: "fbc", name: "Full blood count", price: 1250, object: "test" };
    const bad = { ...good, id: "odd", price: "free" };
    if (target === "/v1/tests") return answer(response, 200, isMended ? [good] : [good, bad]);
    const bundles = [{ id: "b1", name: "B1" }, ...(isMended ? [] : [{ id: "b2", name: null }])];
    return answer(response, 200, { cursor: { resultCount: bundles.length, count: 20 }, bundles });
  });
  const ports = {
    tenancy: db.tenancy,
    clock: systemClock,
    services: { forConnection: async () => client },
  };
  const target = { shop, environment: "staging" } as const;
  const told = () =>
    db.tenancy.inShop(shop, async (tenant) =>
      (await tenant.unreadable.list("staging", new Date())).map(({ kind, uuid }) => [kind, uuid]),
    );
  expect(await testConnection(ports, target)).toMatchObject({ kind: "ok", tests: 1, bundles: 1 });
  expect((await told()).toSorted()).toEqual([
    ["bundle", "b2"],
    ["test", "odd"],
  ]);
  isMended = true;
  await testConnection(ports, target);
  expect(await told()).toEqual([]);
});

const BLOOD_TEST = { id: "fbc", name: "Full blood count", price: 1250, object: "test" };
const refuses = (response: Parameters<Behaviour>[1]) =>
  answer(response, 400, { error: true, code: "INVALID_PARAMETER", message: "upgrade" });

test.each<[string, Behaviour]>([
  [
    "refuses the version",
    ({ headers }, response) =>
      String(headers.accept).includes(".v1.1.0")
        ? refuses(response)
        : answer(response, 200, [BLOOD_TEST]),
  ],
  [
    "refuses the bundles alone",
    ({ target }, response) =>
      target.startsWith("/v1/bundles") ? refuses(response) : answer(response, 200, [BLOOD_TEST]),
  ],
])("an organisation that %s has version 1.0.0, and a catalogue without bundles", async (_, api) => {
  const shop = await installedShop(db);
  await connect(db, shop);
  const { client } = await startService(api);
  const ports = {
    tenancy: db.tenancy,
    clock: systemClock,
    services: { forConnection: async () => client },
  };
  const target = { shop, environment: "staging" } as const;
  const told = { kind: "ok", tests: 1, bundles: 0, apiVersion: "1.0.0" };
  expect(await testConnection(ports, target)).toEqual(told);
  const secrets = createConnectionSecrets(db.pool, db.sealers);
  expect(await secrets.credentials(shop, "staging")).toMatchObject({ apiVersion: "1.0.0" });
});

test("an organisation that was given version 1.1.0 since is ordered from by it after the next listing, and the other way round", async () => {
  const shop = await installedShop(db);
  await connect(db, shop);
  let has = "1.0.0";
  const { client } = await startService(({ headers, target }, response) => {
    if (has === "1.0.0" && String(headers.accept).includes(".v1.1.0")) return refuses(response);
    const bundles = { cursor: { resultCount: 0, count: 20 }, bundles: [] };
    return answer(response, 200, target.startsWith("/v1/bundles") ? bundles : [BLOOD_TEST]);
  });
  const ports = {
    tenancy: db.tenancy,
    clock: systemClock,
    services: { forConnection: async () => client },
  };
  const target = { shop, environment: "staging" } as const;
  await testConnection(ports, target);
  const secrets = createConnectionSecrets(db.pool, db.sealers);
  for (const next of ["1.1.0", "1.0.0"]) {
    has = next;
    expect(await refreshCatalogue(ports, target)).toBe("refreshed");
    expect(await secrets.credentials(shop, "staging")).toMatchObject({ apiVersion: next });
  }
});
