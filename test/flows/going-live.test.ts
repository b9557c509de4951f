import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { bearer, jsonCaller } from "../../sandbox/world/drivers/http.ts";
import { createServiceApi } from "../../sandbox/world/drivers/service-api.ts";
import { createServiceConsole } from "../../sandbox/world/drivers/service-console.ts";
import { readReadyLine, serviceReadySchema } from "../../sandbox/world/ready-lines.ts";
import { eventually, startWorld, type TestWorld } from "../harness/index.ts";
import { orderPage } from "../harness/pages.ts";
import { requestsOf } from "./rows.ts";
import { goShopping, only } from "./shopping.ts";

/** A second service, for production. */
const production = await startProduction();
const world = await startWorld({
  env: {
    REFERRAL_SERVICE_PRODUCTION_BASE_URL: production.base_url,
    REFERRAL_SERVICE_PRODUCTION_AUTH_URL: production.auth_url,
    REFERRAL_SERVICE_PRODUCTION_APP_URL: production.app_url,
    PATHWAY_SYNC_INTERVAL_MS: "2000",
  },
});
afterAll(() => world.stop(), 60_000);
const { pages, sql } = world;
const shopping = goShopping(world);
const live = { api: createServiceApi(production), console: createServiceConsole(production) };

async function startProduction() {
  const child = spawn(
    process.execPath,
    [
      "sandbox/referral-service/main.ts",
      ...["--port", "0", "--data", ":memory:", "--environment", "production", "--pace", "instant"],
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  afterAll(() => void child.kill("SIGTERM"));
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return readReadyLine("The production service", serviceReadySchema, String(line));
}

const secretOf = (name: string) => `whsec_${Buffer.from(name.padEnd(24, "-")).toString("base64")}`;

const connect = (clientId: string, clientSecret: string, signingSecret: string) =>
  pages.saveConnection({
    environment: "production",
    signingScheme: "standard-webhooks",
    ...{ clientId, clientSecret, signingSecret },
  });

/** The words of a page: fit to look for a sentence. */
const wordsOf = async (path: string) =>
  (await pages.open(path))
    .replace(/<(script|style)\b.*?<\/\1>/gs, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x27;/g, "’")
    .replace(/\s+/g, " ");

const goTo = (environment: "staging" | "production") =>
  pages.submit("/app/settings", { intent: "choose-environment", environment });

/** Another organisation at the production service, with a key of its own. */
async function secondOrganisation(webhookUrl: string, secret: string) {
  const account = jsonCaller(`${production.app_url}/api`, async () => ({}));
  const { token } = await account({
    ...{ method: "POST", path: "/accounts", answer: z.object({ token: z.string() }) },
    body: { email: "second@example.com", password: "a long password 12" },
  });
  const call = jsonCaller(`${production.app_url}/api`, bearer(token));
  const send = (method: "POST" | "PUT" | "PATCH", path: string, body: unknown = {}) =>
    call({ method, path, body, answer: z.looseObject({}) });
  await send("PUT", "/profile", { firstName: "Se", lastName: "Cond", practitionerType: "GP" });
  await send("POST", "/profile/verify");
  await send("POST", "/organisations", { name: "Second Pathology" });
  await send("PATCH", "/organisation", { billing: "valid" });
  await send("PUT", "/webhook", { url: webhookUrl, secret, scheme: "standard-webhooks" });
  const key = await send("POST", "/api-keys", { integration: "store" });
  return z.object({ client_id: z.string(), client_secret: z.string() }).parse(key);
}

test("goes live with staging's mappings, follows both, changes the organisation, and comes back", async () => {
  const inStaging = await shopping.buyToForm(await shopping.newShopper());
  await connect(production.client_id, production.client_secret, secretOf("first"));
  const url = await pages.webhookAddress("production");
  await live.console.setWebhook({ url, secret: secretOf("first"), scheme: "standard-webhooks" });

  // Nothing is mapped yet, and the texts are not accepted.
  await expect(goTo("production")).rejects.toThrow(/422/);
  expect(await wordsOf("/app/settings/connection")).toMatch(/No mapping for production works/);
  const copied = await copyMappings(world);
  await pages.submit(copied, { intent: "apply" });
  await eventually(async () =>
    expect(await wordsOf("/app/settings/connection")).toMatch(/7 product variants mapped/),
  );
  await pages.submit("/app/settings", {
    intent: "save-results",
    releasePolicy: "automatic",
    acceptClinicalTexts: "true",
  });
  await goTo("production");

  const buyer = await shopping.newShopper();
  const first = await shopping.buyToForm(buyer);
  expect(await live.api.recentReferrals()).toHaveLength(1);
  // What was bought before the change goes on in staging.
  const staged = only(
    (await world.service.recentReferrals()).filter(
      ({ referenceNumber }) => referenceNumber === only(inStaging.requests).referenceNumber,
    ),
  );
  await world.service.generateResults(staged.uuid);
  await eventually(async () =>
    expect(await wordsOf(orderPage(inStaging.order))).toMatch(/All results are here|Results ready/),
  );
  expect(await wordsOf("/app/settings/connection")).toMatch(
    /To disconnect production, send new orders to staging first/,
  );

  // Another organisation's key: what waits for its details goes there, what the first one ordered is told.
  const waiting = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  const asked = await shopping.requestsWhen(waiting, 1, ({ state }) =>
    expect(state).toBe("awaiting_details"),
  );
  const second = await secondOrganisation(url, secretOf("second"));
  await connect(second.client_id, second.client_secret, secretOf("second"));
  await eventually(
    async () =>
      expect(only(await requestsOf(sql, first.order.id)).reviewReason).toBe(
        "unreadable_at_service",
      ),
    { timeoutMs: 90_000 },
  );
  expect(await wordsOf("/app/attention")).toMatch(/The service doesn’t find this test/);
  await shopping.giveDetails(buyer, asked);
  await shopping.requestsWhen(waiting, 1, ({ state }) => expect(state).toBe("created"));
  expect(await live.api.recentReferrals()).toHaveLength(1);

  // The first organisation's key again: its result arrives, and the item ends by itself.
  const real = only(await live.api.recentReferrals());
  await live.console.sendResults(real.uuid);
  await connect(production.client_id, production.client_secret, secretOf("first"));
  await eventually(
    async () => {
      expect(only(await requestsOf(sql, first.order.id)).reviewReason).toBeNull();
      const [mine] = (await buyer.api.requests()).filter(
        ({ orderId }) => orderId === first.order.id,
      );
      expect(mine?.resultId).toBeTruthy();
      // Until its referral is read anew, it counts as waiting for news.
      const inProgress =
        "SELECT count(*) FROM referral_requests WHERE order_id = $1 AND stage = 'in_progress'";
      expect(await sql.count(inProgress, [first.order.id])).toBe(0);
    },
    { timeoutMs: 90_000 },
  );

  // The secrets of both organisations count, until somebody ends the one that they left.
  const untilThen =
    /Each former secret still works for 24 hours after its change, the last one until/;
  expect(await wordsOf("/app/settings/connection")).toMatch(untilThen);
  expect(await wordsOf("/app/settings/connection")).toMatch(/End former secrets now/);
  await pages.submit("/app/settings", {
    ...{ intent: "save-connection", environment: "production", endFormer: "true" },
    ...{ clientId: production.client_id, storedClientId: production.client_id },
    ...{ signingScheme: "standard-webhooks" },
  });
  expect(await wordsOf("/app/settings/connection")).not.toMatch(untilThen);

  // The way back, and away from production.
  await goTo("staging");
  await pages.submit("/app/settings", { intent: "disconnect", environment: "production" });
  expect(await wordsOf(orderPage(waiting))).toMatch(/Waiting until the service is connected again/);
  expect(await wordsOf(orderPage(first.order))).not.toMatch(/Waiting until the service/);
  const again = await shopping.buyToForm(await shopping.newShopper());
  expect(await wordsOf(orderPage(again.order))).toMatch(/Environment Staging/);
});

/** Has staging's mappings copied to production, and answers the address of the draft. */
async function copyMappings({ line, store }: TestWorld): Promise<string> {
  const answer = await fetch(`${line.app_url}/app/mappings/copy`, {
    method: "POST",
    redirect: "manual",
    headers: { authorization: `Bearer ${await store.adminToken()}`, "user-agent": BROWSER },
    body: new URLSearchParams(),
  });
  expect(answer.status).toBe(302);
  return answer.headers.get("location") ?? "";
}

const BROWSER =
  "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36";
