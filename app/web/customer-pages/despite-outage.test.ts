import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { shopDomain } from "../../modules/kernel/ids.ts";
import { customerHelp } from "../../modules/shops/customer-help.ts";
import { createLogger } from "../../platform/logger.ts";
import { despiteOutage } from "./despite-outage.ts";
import { themePage } from "./page-response.tsx";

const db = await openTestDatabase({ poolSize: 1 });
const shop = shopDomain("shop.myshopify.com") ?? expect.fail();
const context = { app: { ports: { tenancy: db.tenancy, logger: createLogger("silent") } } };
const read = async ({ context: { app } }: { context: typeof context }) =>
  Response.json(await customerHelp(app.ports, shop));

test("a patient reads that the page can’t be shown just now, and that they can try again", async () => {
  const answer = await db.whileDown(() => despiteOutage(read)({ context }));
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("5");
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  const page = await answer.text();
  expect(page).toContain("This page can’t be shown just now");
  expect(page).toContain("try again in a minute");
});

test("inside a theme the page is part of the theme", async () => {
  const route = despiteOutage(read, (page) =>
    themePage(page, {
      ...{ shopName: "Store", email: null, phone: null, hours: null },
      timeZone: "Australia/Sydney",
    }),
  );
  const answer = await db.whileDown(() => route({ context }));
  expect(answer.status).toBe(503);
  expect(answer.headers.get("content-type")).toContain("application/liquid");
});

test("while the database answers nothing is changed, and a fault of ours is one", async () => {
  expect((await despiteOutage(read)({ context })).status).toBe(200);
  const faulty = despiteOutage(() => Promise.reject(new TypeError("a bug")));
  await expect(faulty({ context })).rejects.toThrow("a bug");
});
