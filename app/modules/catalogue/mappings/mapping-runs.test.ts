import { describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import {
  environment,
  find,
  ITEMS,
  map,
  page,
  plan,
  shopWith,
  text,
  variant,
  workRun,
} from "../../../../test/database/mapping-desk.ts";
import { gid } from "../../kernel/ids.ts";
import { readRun } from "../read-run.ts";
import { freshenStore } from "../read-store.ts";
import { saveMapping } from "../save-mapping.ts";
import { startRun } from "../start-run.ts";
import { applyRun, cancelRun } from "../work-run.ts";

const db = await openTestDatabase();

test("a run over all that match maps each once, goes on after a death, and says what became of each", async () => {
  const { shop, ports } = await shopWith(
    db,
    Array.from({ length: 30 }, (_, index) => variant(index + 1)),
  );
  await freshenStore(ports, shop);
  await map(ports, shop, 7);
  const started = await startRun(ports, {
    actor: "staff:1",
    shop,
    environment,
    scope: { kind: "matching", filter: { state: null, search: "product" } },
    wish: { kind: "map", change: { kind: "order", items: ITEMS } },
  });
  if (started.kind !== "started") throw new Error(started.kind);
  const { runId } = started;
  expect((await find(ports, shop, runId))?.counts).toEqual({
    total: 30,
    waiting: 29,
    done: 0,
    nothing_to_do: 1,
    refused: 0,
    failed: 0,
  });
  const again = {
    shop,
    actor: "staff:1" as const,
    environment,
    scope: { kind: "chosen" as const, ids: [gid("ProductVariant", 1)] },
    wish: { kind: "ignore" as const },
  };
  expect(await startRun(ports, again)).toEqual({ kind: "busy" });
  // A worker that dies in a row leaves nothing of that row.
  await expect(
    ports.tenancy.inShop(shop, async (tenant) => {
      const item = await tenant.batches.takeDue(runId);
      await tenant.batches.settle(runId, item?.position ?? 0, { outcome: "done" });
      throw new Error("killed");
    }),
  ).rejects.toThrow("killed");
  // Two workers at once, as after a job was given to another.
  await Promise.all([workRun(ports, { shop, runId }), workRun(ports, { shop, runId })]);
  await workRun(ports, { shop, runId });
  expect(await find(ports, shop, runId)).toMatchObject({
    state: "done",
    counts: { waiting: 0, done: 29, nothing_to_do: 1, refused: 0 },
  });
  expect((await page(ports, shop)).counts.mapped).toBe(30);
});

test("a report names the page before each, whichever way its reader came", async () => {
  const { shop, ports } = await shopWith(
    db,
    Array.from({ length: 100 }, (_, index) => variant(index + 1)),
  );
  await freshenStore(ports, shop);
  const started = await startRun(ports, {
    actor: "staff:1",
    shop,
    environment,
    scope: { kind: "matching", filter: { state: null, search: "product" } },
    wish: { kind: "ignore" },
  });
  if (started.kind !== "started") throw new Error(started.kind);
  const read = async (after: number) => {
    const report = await readRun(ports, { shop, runId: started.runId, after, outcome: "waiting" });
    return { previous: report?.previous, next: report?.next };
  };
  expect(await read(0)).toEqual({ previous: null, next: 50 });
  expect(await read(50)).toEqual({ previous: 0, next: null });
  // An address that was kept begins anywhere: the page before ends where it begins.
  expect(await read(75)).toEqual({ previous: 25, next: null });
  expect(await read(25)).toEqual({ previous: 0, next: 75 });
});

test("a cancelled run leaves the rest as it was, and cannot be gone on with", async () => {
  const { shop, ports } = await shopWith(db, [variant(1), variant(2)]);
  await freshenStore(ports, shop);
  const started = await startRun(ports, {
    actor: "staff:1",
    shop,
    environment,
    scope: { kind: "matching", filter: { state: "unmapped", search: "" } },
    wish: { kind: "ignore" },
  });
  const runId = started.kind === "started" ? started.runId : "";
  expect(await cancelRun(ports, { shop, runId })).toBe("moved");
  expect(await workRun(ports, { shop, runId })).toBe("ended");
  expect(await cancelRun(ports, { shop, runId })).toBe("not_possible");
  expect((await page(ports, shop)).counts.unmapped).toBe(2);
});

test("accepting suggestions takes the clear ones only, of unmapped variants only", async () => {
  const { shop, ports } = await shopWith(db, [
    variant(1, { productTitle: "Health Check", sku: null }),
    variant(2, { productTitle: "Something else", sku: null }),
    variant(3, { productTitle: "TSH test", sku: null }),
  ]);
  await freshenStore(ports, shop);
  await map(ports, shop, 3);
  const started = await startRun(ports, {
    actor: "staff:1",
    shop,
    environment,
    scope: { kind: "chosen", ids: [1, 2, 3].map((n) => gid("ProductVariant", n)) },
    wish: { kind: "suggest" },
  });
  expect(started).toMatchObject({ kind: "started", rows: 1 });
  await workRun(ports, { shop, runId: started.kind === "started" ? started.runId : "" });
  const { variants } = await page(ports, shop, { state: "mapped" });
  expect(
    variants.map((one) => one.mapping?.kind === "order" && one.mapping.items.bundleId),
  ).toEqual(["check", "check"]);
});

test("accepting suggestions leaves out what costs more than its price, and says so", async () => {
  const { shop, ports } = await shopWith(db, [
    variant(1, { productTitle: "TSH test", sku: null, priceCents: 100 }),
    variant(2, { productTitle: "Health check", sku: null }),
  ]);
  await freshenStore(ports, shop);
  const started = await startRun(ports, {
    actor: "staff:1",
    shop,
    environment,
    scope: { kind: "matching", filter: { state: "unmapped", search: "" } },
    wish: { kind: "suggest" },
  });
  expect(started).toMatchObject({ kind: "started", rows: 1, leftOut: 1 });
  const runId = started.kind === "started" ? started.runId : "";
  await workRun(ports, { shop, runId });
  const { variants } = await page(ports, shop, { state: "mapped" });
  expect(variants.map((one) => one.productTitle)).toEqual(["Health check"]);
  const report = await readRun(ports, { shop, runId, after: 0, outcome: "refused" });
  expect(report?.rows.map(({ label, message }) => [label, message])).toEqual([
    ["TSH test", expect.stringMatching(/^It costs \$[\d.]+, more than its price of \$1\.00\./)],
  ]);
});

test("accepting suggestions leaves nothing out for a price in a currency that the service doesn’t charge in", async () => {
  const { shop, ports } = await shopWith(db, [
    variant(1, { productTitle: "TSH test", sku: null, priceCents: 100 }),
  ]);
  await ports.tenancy.inShop(shop, (tenant) => tenant.shops.recordFacts({ currency: "USD" }));
  await freshenStore(ports, shop);
  const started = await startRun(ports, {
    actor: "staff:1",
    shop,
    environment,
    scope: { kind: "matching", filter: { state: "unmapped", search: "" } },
    wish: { kind: "suggest" },
  });
  expect(started).toMatchObject({ kind: "started", rows: 1, leftOut: 0 });
});

describe("what somebody else changed since a run was planned stays", () => {
  type Desk = Awaited<ReturnType<typeof shopWith>>;
  const TSH = { ...ITEMS, bundleId: null, tests: ["tsh"] };
  const later = { now: () => new Date(Date.now() + 1_000) };
  /** A colleague says by hand what the variant is, or its whole product. */
  const colleague = ({ shop, ports }: Desk, number: number, isWhole = false) =>
    saveMapping(
      { ...ports, clock: later },
      {
        shop,
        actor: "staff:2",
        mapping: {
          environment,
          variantId: isWhole ? null : gid("ProductVariant", number),
          productId: gid("Product", number),
          kind: "order",
          items: TSH,
        },
      },
    );
  const items = async ({ shop, ports }: Desk) =>
    (await page(ports, shop)).variants.map(({ mapping }) =>
      mapping?.kind === "order" ? mapping.items.tests : (mapping?.kind ?? null),
    );

  test("of a file that waited for being applied, and the report says who", async () => {
    const desk = await shopWith(db, [variant(1), variant(2), variant(3)]);
    const { shop, ports } = desk;
    await ports.tenancy.inShop(shop, (tenant) =>
      tenant.staff.identify(
        { staff: "staff:2", name: "Kim Colleague", isAccountOwner: false },
        new Date(),
      ),
    );
    await freshenStore(ports, shop);
    await map(ports, shop, 1);
    const file = (await text(ports, shop)).replaceAll(
      /,"(test|unmapped)",.*/g,
      ",not a test,,,,,,",
    );
    const { runId } = await plan(ports, shop, file);
    await colleague(desk, 1);
    await colleague(desk, 2, true);
    expect(await applyRun(ports, { shop, runId })).toBe("moved");
    expect(await workRun(ports, { shop, runId })).toBe("done");
    expect(await items(desk)).toEqual([["tsh"], ["tsh"], "ignored"]);
    const run = await readRun(ports, { shop, runId, after: 0 });
    expect(run?.rows.map(({ outcome }) => outcome)).toEqual(["refused", "refused", "done"]);
    expect(run?.rows[0]?.message).toMatch(/Kim Colleague/);
  });

  test("of suggestions that were accepted together", async () => {
    const named = { productTitle: "Full blood count", sku: null };
    const desk = await shopWith(db, [variant(1, named), variant(2, named)]);
    const { shop, ports } = desk;
    await freshenStore(ports, shop);
    const started = await startRun(ports, {
      ...{ shop, environment, actor: "staff:1", wish: { kind: "suggest" } },
      scope: { kind: "matching", filter: { state: "unmapped", search: "" } },
    });
    await colleague(desk, 2);
    await workRun(ports, { shop, runId: started.kind === "started" ? started.runId : "" });
    expect(await items(desk)).toEqual([["fbc"], ["tsh"]]);
  });
});
