import type { AppLoadContext } from "@remix-run/node";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { shopDomain } from "../../modules/kernel/ids.ts";
import { createLogger } from "../../platform/logger.ts";
import { customerRoute } from "./customer-route.ts";

const db = await openTestDatabase({ poolSize: 1 });
const shop = shopDomain("shop.myshopify.com");
const request = new Request("https://pathway.example/api/customer/requests", {
  headers: { authorization: "Bearer account" },
});
const context = {
  app: {
    customerAuth: async () => ({ shop, customerId: "gid://shopify/Customer/1" }),
    ports: { logger: createLogger("silent") },
  },
} as unknown as AppLoadContext;

const ask = () =>
  customerRoute({ request, context }, ({ shop: of }) =>
    db.tenancy.inShop(of, async (tenant) => Response.json(await tenant.shops.find())),
  );

test("a database that is away is told as such, to be asked again, and not as a fault of ours", async () => {
  const answer = await db.whileDown(ask);
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("5");
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(await answer.json()).toEqual({ error: expect.stringContaining("try again") });
  expect((await ask()).status).toBe(200);
});

test("a database without room for one more is told the same", async () => {
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const holding = db.tenancy.inShop(shop ?? expect.fail(), async () => {
    begun.resolve();
    await held.promise;
  });
  await begun.promise;
  const answer = await ask();
  held.resolve();
  await holding;
  expect(answer.status).toBe(503);
});

test("a fault of ours is logged, and told as one where the account can read it", async () => {
  const faulty = () => Promise.reject(new TypeError("a bug"));
  const logged: unknown[] = [];
  const logger = { error: (...line: unknown[]) => logged.push(line) };
  const noting = { app: { ...context.app, ports: { logger } } } as unknown as AppLoadContext;
  const answer = await customerRoute({ request, context: noting }, faulty);
  expect(answer.status).toBe(500);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(await answer.json()).toEqual({ error: expect.stringContaining("on our side") });
  expect(logged).toMatchObject([
    [{ err: { message: "a bug" }, pathname: "/api/customer/requests" }, "request failed"],
  ]);
});
