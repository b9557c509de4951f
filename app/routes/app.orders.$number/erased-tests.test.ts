import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import type { Ledger } from "../../../test/database/ledger.ts";
import { query } from "../../../test/database/overview-run.ts";
import { privacyRun } from "../../../test/database/privacy-run.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { readOrder } from "../../modules/reports/read-order.ts";
import { readOrders } from "../../modules/reports/read-orders.ts";
import { exportCsv } from "../app.referrals/export-csv.server.ts";
import { presentOrders } from "../app.referrals/present-orders.ts";
import { presentOrder } from "./present-order.ts";

const db = await openTestDatabase();
const { start, asked, perform, wholeStory } = privacyRun(db);
const ORDER = gid("Order", 1001);
let ledger: Ledger;

beforeEach(async () => {
  ledger = await start();
});

/** The words for the tests of the order: on its page, in the list of orders and in its export. */
async function words() {
  const { shop, ports } = ledger;
  const overview = await readOrder(ports, { shop, orderId: ORDER, actor: null, isWhole: true });
  if (!overview) throw new Error("The order is gone");
  const view = presentOrder({ describeFailure }, overview);
  const page = await readOrders(ports, { shop, ...query() });
  const rows = await db.tenancy.inShop(shop, (tenant) => tenant.overview.exportRows([ORDER]));
  const pages = (async function* () {
    yield rows;
  })();
  const csv = (await exportCsv(pages).toArray()).join("");
  return {
    page: view.lines.flatMap(({ requests }) => requests).map(({ name }) => name),
    summary: view.summary.flatMap(({ stages }) => stages).map(({ name }) => name),
    list: presentOrders({ describeFailure }, page).orders[0]?.badges.map(({ name }) => name),
    csv: csv.includes(`"Erased","created"`),
  };
}

test("says of a test whose data was erased that it is erased, and of no progress", async () => {
  await wholeStory("canary-1");
  expect(await words()).toMatchObject({ list: ["In progress"], csv: false });
  await perform(await asked("customer_redacted", { orderIds: [ORDER] }));
  const erased = ["Erased"];
  expect(await words()).toEqual({ page: erased, summary: erased, list: erased, csv: true });
});
