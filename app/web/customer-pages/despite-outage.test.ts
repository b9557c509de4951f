import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { mappedShop } from "../../../test/database/seed.ts";
import { keptLog } from "../../../test/samples/kept-log.ts";
import { newSecret } from "../../modules/kernel/secret.ts";
import { customerHelp } from "../../modules/shops/customer-help.ts";
import { createLogger } from "../../platform/logger.ts";
import { writeToken } from "../customer-interface/token.ts";
import { despiteOutage } from "./despite-outage.ts";
import { themePage } from "./page-response.tsx";

const db = await openTestDatabase({ poolSize: 1 });
const shop = await mappedShop(db);
const context = { app: { ports: { tenancy: db.tenancy, logger: createLogger("silent") } } };
const request = new Request("https://app.example/t/x");
const args = { context, request, params: {} };
const read = async () => Response.json(await customerHelp(context.app.ports, shop));

test("a patient reads that the page can’t be shown just now, and that they can try again", async () => {
  const answer = await db.whileDown(() => despiteOutage(read)(args));
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
  const answer = await db.whileDown(() => route(args));
  expect(answer.status).toBe(503);
  expect(answer.headers.get("content-type")).toContain("application/liquid");
});

test("nothing is changed while nothing fails", async () => {
  expect((await despiteOutage(read)(args)).status).toBe(200);
});

test.each([
  [
    "mailed link",
    { token: writeToken(shop, newSecret("guest_session")) },
    "mailto:shop@example.com",
  ],
  ["visit", { address: writeToken(shop, randomUUID()) }, "mailto:shop@example.com"],
  ["made-up address", { token: "x" }, "Contact the shop."],
])(
  "a fault of ours on the page of a %s is noted, and tells whom to ask",
  async (_, params, ask) => {
    await db.pool.query("UPDATE shops SET contact_email = 'shop@example.com' WHERE shop = $1", [
      shop,
    ]);
    const { logger, lines } = keptLog("error");
    const faulty = despiteOutage(() => Promise.reject(new TypeError("a bug")));
    const ports = { ...context.app.ports, logger };
    const answer = await faulty({ request, params, context: { app: { ports } } });
    expect(answer.status).toBe(500);
    const page = await answer.text();
    expect(page).toContain("Something went wrong on our side");
    expect(page).toContain(ask);
    expect(page).not.toContain("a bug");
    expect(lines).toMatchObject([{ msg: "request failed", pathname: "/t/x" }]);
  },
);
