import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import {
  DOCTOR,
  environment,
  giveNotes,
  jobs,
  map,
  notes,
  page,
  plan,
  shopWith,
  text,
  variant,
  workRun,
} from "../../../../test/database/mapping-desk.ts";
import { gid } from "../../kernel/ids.ts";
import { readMappingFile } from "../read-file.ts";
import { freshenStore } from "../read-store.ts";
import { applyRun } from "../work-run.ts";

const db = await openTestDatabase();

test("imports its own export without a change, formulas and all", async () => {
  const { shop, ports } = await shopWith(db, [
    variant(1, { productTitle: '=HYPERLINK("x")', sku: "-1" }),
    variant(2, { productTitle: 'A "quoted", name; with\nlines', variantTitle: "+B" }),
    variant(3),
    variant(4),
  ]);
  await freshenStore(ports, shop);
  await map(ports, shop, 1, { tests: ["tsh"] });
  await map(ports, shop, 2, {
    bundleId: null,
    tests: ["fbc", "tsh"],
    medicareTests: ["fbc"],
    practitioner: DOCTOR,
  });
  await giveNotes(ports, shop, 2, '=Fasting;\r\n"8 hours"');
  await ports.tenancy.inShop(shop, (tenant) =>
    tenant.mappings.save({
      environment,
      variantId: gid("ProductVariant", 3),
      productId: gid("Product", 3),
      kind: "ignored",
    }),
  );
  const file = await text(ports, shop);
  expect(file).toContain("'=HYPERLINK");
  expect(file).toContain("Full blood count | TSH");
  for (const content of [
    file,
    file.replace("\ufeff", ""),
    Buffer.from(`\ufeff${file}`, "utf16le"),
  ]) {
    const { rows } = await plan(ports, shop, content);
    expect(rows.map((row) => row.outcome)).toEqual([
      "nothing_to_do",
      "nothing_to_do",
      "nothing_to_do",
      "nothing_to_do",
    ]);
  }
});

test("quotes each text of an export, so that no separator of a spreadsheet's begins a cell within it", async () => {
  const { shop, ports } = await shopWith(db, [
    variant(1, { productTitle: "Iron;=1+1", sku: "A\t=2" }),
  ]);
  await freshenStore(ports, shop);
  const file = await text(ports, shop);
  expect(file).toContain('"Iron;=1+1"');
  expect(file).toContain('"A\t=2"');
});

test("refuses a file of nothing but separators before it is taken apart", () => {
  for (const line of [",".repeat(5_000_000), `${",".repeat(250)}\n`.repeat(19_000)]) {
    const reading = readMappingFile(Buffer.from(`sku,kind\n${line}`));
    expect(reading).toMatchObject({
      kind: "unreadable",
      message: expect.stringContaining("columns"),
    });
  }
  const wide = `sku,kind${",".repeat(18)}\n${`A,test${",".repeat(18)}\n`.repeat(20_000)}`;
  expect(readMappingFile(Buffer.from(wide))).toMatchObject({ kind: "read" });
});

test.each(["=", "-", "＝", "＋", "－", "＠"])(
  "imports its own export without a change where notes begin with %s",
  async (sign) => {
    const { shop, ports } = await shopWith(db, [variant(1)]);
    await freshenStore(ports, shop);
    await map(ports, shop, 1, { medicareTests: ["fbc"], practitioner: DOCTOR });
    await giveNotes(ports, shop, 1, `${sign} fast for 8 hours`);
    const { rows } = await plan(ports, shop, await text(ports, shop));
    expect(rows.map((row) => row.outcome)).toEqual(["nothing_to_do"]);
  },
);

test("each line says what it would change, or what is wrong with it and where", async () => {
  const { shop, ports } = await shopWith(db, [
    variant(1),
    variant(2),
    variant(3, { sku: "TWIN" }),
    variant(4, { sku: "TWIN" }),
    variant(5),
    variant(6),
  ]);
  await freshenStore(ports, shop);
  await map(ports, shop, 5);
  const { runId, rows } = await plan(
    ports,
    shop,
    [
      "SKU;Variant ID;kind;bundle;tests;medicare_tests;practitioner_provider_number",
      ";gid://shopify/ProductVariant/1;;health CHECK;tsh;;",
      "SKU-2;;;nothing like it;;;",
      "TWIN;;test;check;;;",
      "NOPE;;test;check;;;",
      ";999;test;check;;;",
      ";1.23E+12;test;check;;;",
      ";5;unmapped;;;;",
      ";6;;;;FBC;2426621B",
      ";2;maybe;;;;",
      ";6;;;;;",
    ].join("\r\n"),
  );
  expect(rows.map(({ line, outcome, field }) => [line, outcome, field])).toEqual([
    [2, null, null],
    [3, "refused", "sku"],
    [4, "refused", "sku"],
    [5, "refused", "sku"],
    [6, "refused", "variant_id"],
    [7, "refused", "variant_id"],
    [8, null, null],
    [9, "refused", "variant_id"],
    [10, "refused", "variant_id"],
    [11, "refused", "variant_id"],
  ]);
  expect(rows[1]?.message).toContain("Line 10");
  expect(rows[8]?.message).toContain("Line 3");
  expect(await jobs(db, shop, "work-batch")).toBe(0);
  expect((await page(ports, shop)).counts.mapped).toBe(1);
  expect(await applyRun(ports, { shop, runId })).toBe("moved");
  expect(await workRun(ports, { shop, runId })).toBe("done");
  const { variants } = await page(ports, shop, { state: "mapped" });
  expect(variants).toMatchObject([
    { id: gid("ProductVariant", 1), mapping: { items: { bundleId: "check", tests: ["tsh"] } } },
  ]);
  expect((await page(ports, shop)).counts.unmapped).toBe(5);
});

test("preparation comes and goes with its column, for any test, and is never part of the report", async () => {
  const { ports, shop } = await shopWith(
    db,
    [1, 2, 3, 4, 5].map((number) => variant(number)),
  );
  await freshenStore(ports, shop);
  const preparation = (number: number) =>
    ports.tenancy.inShop(shop, async (tenant) => {
      const id = gid("ProductVariant", number);
      const mapping = (await tenant.mappings.list(environment, [id])).get(id);
      return mapping?.kind === "order" ? mapping.preparation : undefined;
    });
  const work = async (file: string) => {
    const { runId, rows } = await plan(ports, shop, file);
    await applyRun(ports, { shop, runId });
    await workRun(ports, { shop, runId });
    return { runId, rows };
  };
  const { runId, rows } = await work(
    [
      "variant_id,kind,tests,preparation",
      "1,test,FBC,Morning sample",
      `2,test,TSH,${"x".repeat(1_001)}`,
      "3,,,Fasting",
      "4,not a test,,Fasting",
      '5,test,TSH,"Fast for 8 hours\r\nWater is fine"',
    ].join("\n"),
  );
  expect(rows.map(({ outcome, field }) => [outcome, field])).toEqual([
    [null, null],
    ["refused", "preparation"],
    ["refused", "preparation"],
    ["refused", "preparation"],
    [null, null],
  ]);
  expect(rows[0]?.becomes).toBe("Full blood count; new preparation");
  const stored = await db.pool.query<{ text: string }>(
    "SELECT i::text AS text FROM batch_items i WHERE shop = $1 AND batch_id = $2",
    [shop, runId],
  );
  const kept = stored.rows.map(({ text }) => text).join("\n");
  expect(kept).not.toContain("Morning");
  expect(kept).not.toContain(Buffer.from("Morning").toString("hex"));
  expect(await preparation(1)).toBe("Morning sample");

  // An exported file changes nothing when it comes back; without the column, notes stay.
  const exported = await text(ports, shop);
  expect(exported).toContain("Morning sample");
  const again = await plan(ports, shop, exported);
  expect(again.rows.filter(({ outcome }) => outcome !== "nothing_to_do")).toEqual([]);
  await work("variant_id,kind,tests\n1,test,TSH");
  expect(await preparation(1)).toBe("Morning sample");
  await work("variant_id,kind,tests,preparation\n1,test,TSH,");
  expect(await preparation(1)).toBeNull();
});

test("notes come and go with their column, wait sealed, and are never part of the report", async () => {
  const { shop, ports } = await shopWith(
    db,
    [1, 2, 3, 4, 5, 6].map((number) => variant(number)),
  );
  await freshenStore(ports, shop);
  const medicare = { bundleId: null, medicareTests: ["fbc"], practitioner: DOCTOR };
  for (const number of [1, 2, 3]) {
    await map(ports, shop, number, medicare);
    await giveNotes(ports, shop, number, "Fasting");
  }
  const head = "variant_id,medicare_tests,practitioner_provider_number";
  const without = await plan(ports, shop, `${head}\n1,FBC,2426621B\n2,TSH,2426621B`);
  expect(without.rows.map((row) => row.outcome)).toEqual(["nothing_to_do", null]);
  await applyRun(ports, { shop, runId: without.runId });
  expect(await workRun(ports, { shop, runId: without.runId })).toBe("done");
  expect(await notes(ports, shop, 2)).toBe("Fasting");

  const { runId, rows } = await plan(
    ports,
    shop,
    [
      `${head},Clinical Notes`,
      "1,FBC,2426621B,Fasting",
      "2,TSH,2426621B,Morning sample",
      "3,FBC,2426621B,",
      `4,FBC,2426621B,${"x".repeat(1_001)}`,
      "5,,,Fasting",
      `6,FBC,2426621B,${"y".repeat(1_000)}`,
    ].join("\n"),
  );
  expect(rows.map(({ outcome, field }) => [outcome, field])).toEqual([
    ["nothing_to_do", null],
    [null, null],
    [null, null],
    ["refused", "clinical_notes"],
    ["refused", "clinical_notes"],
    [null, null],
  ]);
  expect(rows[1]?.becomes).toBe("Medicare: TSH (2426621B); new clinical notes");
  expect(rows[2]?.becomes).toContain("; without clinical notes");
  expect(rows[3]?.message).toContain("1,001 characters");
  const stored = await db.pool.query<{ text: string }>(
    "SELECT i::text AS text FROM batch_items i WHERE shop = $1 AND batch_id = $2",
    [shop, runId],
  );
  const kept = stored.rows.map(({ text }) => text).join("\n");
  expect(kept).not.toContain("Morning");
  expect(kept).not.toContain(Buffer.from("Morning").toString("hex"));
  await applyRun(ports, { shop, runId });
  expect(await workRun(ports, { shop, runId })).toBe("done");
  const after = await Promise.all([1, 2, 3, 4, 6].map((number) => notes(ports, shop, number)));
  expect(after).toEqual(["Fasting", "Morning sample", null, undefined, "y".repeat(1_000)]);
});
