import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { connect, installedShop } from "../../../test/database/seed.ts";
import { systemClock } from "../../lib/clock.ts";
import { describeTestOutcome } from "../../messages/connection.ts";
import { describeFailure } from "../../referral-service/failures/describe-failure.ts";
import { answer, type Behaviour } from "../../referral-service/testing/start-server.ts";
import { startService } from "../../referral-service/testing/start-service.ts";
import { testConnection } from "./test-connection.ts";

const db = await openTestDatabase();

/** What the settings page says of a test against a service that behaves so. */
async function toldOf(api: Behaviour, stop = false) {
  const shop = await installedShop(db);
  await connect(db, shop);
  const { client, server } = await startService(api, { client: { timeouts: { otherMs: 100 } } });
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
  ["a wrong path", (_, r) => r.writeHead(404).end(), /isn’t at the address/, /runs Pathway/],
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
