import { text } from "node:stream/consumers";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop, PATIENT, readyRequest, storeOrder } from "../../../test/database/seed.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { exportOrders } from "../../modules/reports/export-orders.ts";
import { readSelection } from "../../modules/reports/selection-text.ts";
import { exportCsv } from "./export-csv.server.ts";

const db = await openTestDatabase();

test("every order of the selection over many pages, one row for each test, with who bought it, and nothing of the patient", async () => {
  const shop = await installedShop(db);
  await db.pool.query(
    `INSERT INTO orders (shop, order_id, name, paid_at, first_read_at, read_at)
     SELECT $1, 'gid://shopify/Order/' || i, '#' || i, now() - i * interval '1 minute', now(), now()
     FROM generate_series(2, 1200) AS i`,
    [shop],
  );
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.record(
      storeOrder({ id: gid("Order", 1), name: "=HYPERLINK(1)" }),
      new Map(),
      START,
    ),
  );
  await readyRequest(db, shop, { orderNumber: 1 });
  const read = async (selection: string) => {
    const pages = exportOrders(
      { tenancy: db.tenancy },
      { shop, selection: readSelection(selection) },
    );
    return text(exportCsv(pages));
  };
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.setAttention(gid("Order", 2), ["unmapped_line"]),
  );
  const whole = await read("");
  const rows: Record<string, string>[] = parse(whole, { columns: true, bom: true });
  expect(rows).toHaveLength(1200);
  expect(new Set(rows.map((row) => row["Order ID"])).size).toBe(1200);
  const own = rows.find((row) => row["Order ID"] === "1");
  expect(own).toMatchObject({
    Order: "'=HYPERLINK(1)",
    Unit: "1",
    Status: "In progress",
    State: "ready",
    Customer: "Sam Buyer",
    Email: "sam@example.com",
    Product: "Iron studies",
  });
  // Where semicolons separate cells, a name that has one begins no cell with what follows it.
  expect(whole).toContain('"sam@example.com"');
  // An order of which nothing was ordered is listed as one that needs somebody, and is called so here.
  const needy = rows.filter((row) => row.Status === "Needs attention");
  expect(needy.map((row) => row["Order ID"])).toEqual(["2"]);
  expect(parse(await read("status=attention"), { columns: true, bom: true })).toEqual(needy);
  for (const told of [PATIENT.lastName, PATIENT.email, PATIENT.dob])
    expect(whole).not.toContain(told);
  expect(parse(await read("status=in_progress"), { columns: true, bom: true })).toHaveLength(1);
  const times = async (selection: string) =>
    (parse(await read(selection), { columns: true, bom: true }) as typeof rows).map(
      (row) => row["Paid at"] ?? "",
    );
  const newest = rows.map((row) => row["Paid at"] ?? "");
  expect(newest).toEqual(newest.toSorted().toReversed());
  // In the sequence of the list that it was asked for.
  const oldest = await times("sort=oldest");
  expect(oldest).toEqual(oldest.toSorted());
});

test("a page that cannot be read breaks the download off, and ends nothing else", async () => {
  async function* failing() {
    yield [];
    throw new Error("the database is away");
  }
  await expect(text(exportCsv(failing()))).rejects.toThrow("the database is away");
});

test.each(["2026-02-30", "2026-04-31", "2027-02-29"])(
  "%s is no day, and is left out of a selection",
  async (from) => {
    const selection = readSelection(`from=${from}`);
    expect(selection.paidFrom).toBeNull();
    const shop = await installedShop(db);
    const pages = exportOrders({ tenancy: db.tenancy }, { shop, selection });
    expect(await text(exportCsv(pages))).toContain("Order ID");
  },
);
