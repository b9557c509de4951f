/** An id in capitals means the same test: the same key seals it, and the same row opens. */
import { globSync, readFileSync } from "node:fs";
import type { ActionFunctionArgs, AppLoadContext } from "@remix-run/node";
import { expect, test } from "vitest";
import { openTestDatabase } from "../test/database/database.ts";
import { startInvitation } from "../test/database/invitation.ts";
import { PATIENT } from "../test/database/seed.ts";
import { gid } from "./modules/kernel/ids.ts";
import { createLogger } from "./platform/logger.ts";
import { action as erase } from "./routes/api.customer.requests.$id.erasure.ts";
import { action as handOver } from "./routes/api.customer.requests.$id.handover.ts";
import { action as give, loader as readGiven } from "./routes/api.customer.requests.$id.patient.ts";

const db = await openTestDatabase();

async function start() {
  const world = await startInvitation(db);
  const { shop, ports } = world;
  const context = {
    app: {
      ports: { ...ports, logger: createLogger("silent") },
      refusals: { note: () => {} },
      customerAuth: async () => ({ shop, customerId: gid("Customer", 7) }),
    },
  } as unknown as AppLoadContext;
  const call = async (
    work: (args: ActionFunctionArgs) => Promise<Response>,
    method: string,
    id: string,
    body?: unknown,
  ) => {
    const request = new Request("https://app.example/api/customer/requests", {
      ...{ method, headers: { authorization: "Bearer buyer" } },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await work({ request, context, params: { id } } as never)).status;
  };
  const keys = async () =>
    (
      await db.pool.query<{ subject: string }>(
        "SELECT subject FROM data_keys WHERE shop = $1 AND subject LIKE 'request %'",
        [shop],
      )
    ).rows.map(({ subject }) => subject);
  return { ...world, call, keys };
}

test("seals given details by the key of the test, and reads and erases them", async () => {
  const { id, shop, call, keys } = await start();
  const upper = id.toUpperCase();
  expect(await call(give, "PUT", upper, { ...PATIENT, consent: true })).toBe(200);
  expect(await keys()).toEqual([`request ${id}`]);
  const details = await db.tenancy.inShop(shop, (tenant) => tenant.requests.patientOf(id));
  expect(details?.patient.firstName).toBe(PATIENT.firstName);
  expect(await call(readGiven, "GET", upper)).toBe(200);
  expect(await call(erase, "POST", upper)).toBe(200);
  expect(await keys()).toEqual([]);
});

test("invites the patient of the test", async () => {
  const { id, call, keys, enter } = await start();
  expect(await call(handOver, "POST", id.toUpperCase(), { email: "pat@example.com" })).toBe(200);
  expect(await keys()).toEqual([`request ${id}`]);
  expect((await enter()).kind).not.toBe("customer");
});

test("every page and call reads ids so", () => {
  const files = globSync("app/{routes,web}/**/*.{ts,tsx}");
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => /z\s*\.uuid\(/.test(readFileSync(file, "utf8")))).toEqual([]);
});
