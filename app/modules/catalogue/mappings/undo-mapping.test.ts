/** Long because one mapping is gone through: what is put back, what is left, and what becomes of orders meanwhile. */
import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { startLedger } from "../../../../test/database/ledger.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { installedShop, orderLine, PATIENT, storeOrder } from "../../../../test/database/seed.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createLogger } from "../../../platform/logger.ts";
import { gid, type ShopDomain, type VariantId } from "../../kernel/ids.ts";
import { workBatch } from "../../kernel/work-batch.ts";
import { reconcileOrder } from "../../orders/reconcile-order.ts";
import { createReferral } from "../../referrals/create-referral.ts";
import type { NewMapping } from "../mapping.ts";
import { findRun, readRun } from "../read-run.ts";
import { reconcileWaiting } from "../reconcile-waiting.ts";
import { removeMapping, saveMapping } from "../save-mapping.ts";
import { startRun } from "../start-run.ts";
import type { Tenant } from "../tenant.ts";
import { undoMapping } from "../undo-mapping.ts";
import { undoRun } from "../undo-run.ts";
import { describeUndo } from "../undo-words.ts";
import { mappingChanges } from "../work-run.ts";

const db = await openTestDatabase();
const environment = "staging" as const;
const PRODUCT = gid("Product", 2);
const A = gid("ProductVariant", 2);
const B = gid("ProductVariant", 3);
const DOCTOR = { name: "Dr Raman", address: "12 Collins St", providerNumber: "2426621B" };
const items = (test: string) => ({
  ...{ bundleId: null, tests: [test], medicareTests: [], practitioner: null },
});
const MEDICARE = { ...items("fbc"), medicareTests: ["fbc"], practitioner: DOCTOR };

let shop: ShopDomain;
const ports = { tenancy: db.tenancy, clock: systemClock, logger: createLogger("silent") };
const inShop = <T>(work: (tenant: Tenant) => Promise<T>) => db.tenancy.inShop(shop, work);

async function prepare(installed: ShopDomain) {
  shop = installed;
  const test = (id: string) => ({ id, name: id, shortName: id, priceCents: 1, turnaround: null });
  await inShop(async (tenant) => {
    const tests = ["fbc", "tsh", "iron"].map(test);
    await tenant.catalogues.save({ environment, tests, bundles: [], fetchedAt: new Date() });
    const at = await tenant.storeVariants.beginReading();
    await tenant.storeVariants.put([variant(A, "A"), variant(B, "B")], at);
    const kim = { staff: "staff:2", name: "Kim Lee", isAccountOwner: false };
    await tenant.staff.identify(kim, new Date());
  });
}
beforeEach(async () => prepare(await installedShop(db)));

const variant = (id: VariantId, variantTitle: string) => ({
  ...{ id, productId: PRODUCT, productTitle: "Blood count", variantTitle },
  ...{ sku: null, priceCents: 5_000, productStatus: "active" as const },
});

type Meaning = Pick<NewMapping & { kind: "order" }, "items" | "clinicalNotes" | "preparation">;
const save = async (
  variantId: VariantId | null,
  meaning: Meaning | "ignored",
  { actor = "staff:1", heir = null }: { actor?: `staff:${string}`; heir?: VariantId | null } = {},
) => {
  const place = { environment, productId: PRODUCT, variantId };
  const mapping: NewMapping =
    meaning === "ignored" ? { ...place, kind: "ignored" } : { ...place, kind: "order", ...meaning };
  const saved = await saveMapping(ports, { shop, actor, heir, mapping });
  if (saved.kind !== "saved") throw new Error(saved.kind);
  return saved.changeId;
};
/** Removes a mapping; answers the change. */
const remove = async (variantId: VariantId | null, actor: `staff:${string}` = "staff:1") => {
  await removeMapping(ports, { shop, actor, environment, productId: PRODUCT, variantId });
  return (await changes()).at(-1)?.changeId ?? "";
};
const undo = (changeId: string, actor: `staff:${string}` = "staff:1") =>
  undoMapping(ports, { shop, actor, changeId });
const RESTORED = { kind: "restored", ordersUsed: 0, ordersReread: 0 };

/** The rows of the mappings: own meanings of variants, and of the product as a whole. */
const mappings = async () => {
  const rows = await inShop((tenant) => tenant.mappings.ofProduct(environment, PRODUCT));
  return rows
    .map(({ variantId, ...mapping }) => [
      variantId === A ? "A" : variantId === B ? "B" : "whole",
      mapping.kind === "order"
        ? [...mapping.items.tests, mapping.clinicalNotes, mapping.preparation]
            .filter(Boolean)
            .join()
        : mapping.kind,
    ])
    .map((pair) => pair.join(" "))
    .toSorted();
};
const changes = async () => {
  const { rows } = await db.pool.query<{
    changeId: string;
    actor: string;
    became: string;
    undoes: string | null;
  }>(
    `SELECT change_id AS "changeId", actor, became, undoes FROM mapping_changes WHERE shop = $1 ORDER BY id`,
    [shop],
  );
  return rows;
};

describe("one change", () => {
  test("puts back what a variant meant, with its texts, and says who did it", async () => {
    await save(A, { items: MEDICARE, clinicalNotes: "Fasting", preparation: "Drink water" });
    const changeId = await save(A, { items: items("tsh"), preparation: "Nothing" });
    expect(await mappings()).toEqual(["A tsh,Nothing"]);
    expect(await undo(changeId, "staff:2")).toEqual({ kind: "undone", places: [RESTORED] });
    expect(await mappings()).toEqual(["A fbc,Fasting,Drink water"]);
    expect((await changes()).at(-1)).toMatchObject({
      ...{ actor: "staff:2", became: "order", undoes: changeId },
    });
    const { rows } = await db.pool.query(
      "SELECT c::text AS text FROM mapping_changes c WHERE shop = $1",
      [shop],
    );
    for (const { text } of rows) expect(text).not.toContain(Buffer.from("Fasting").toString("hex"));
  });

  test("unmaps again what had no mapping, and maps again what was removed", async () => {
    const first = await save(A, { items: items("fbc") });
    expect(await undo(first)).toMatchObject({ places: [RESTORED] });
    expect(await mappings()).toEqual([]);
    await save(A, "ignored");
    const removal = await remove(A);
    expect(await mappings()).toEqual([]);
    expect(await undo(removal)).toMatchObject({ places: [RESTORED] });
    expect(await mappings()).toEqual(["A ignored"]);
  });

  test("gives a variant its own mapping back, when it gave it up for the whole product's", async () => {
    await save(null, { items: items("fbc") });
    await save(B, { items: items("tsh") });
    const changeId = await save(null, { items: items("iron") }, { heir: B });
    expect(await mappings()).toEqual(["whole iron"]);
    await undo(changeId);
    expect(await mappings()).toEqual(["B tsh", "whole fbc"]);
  });

  test("is undone once, however often and in however many tabs it is asked for", async () => {
    await save(A, { items: items("fbc") });
    const changeId = await save(A, { items: items("tsh") });
    const both = await Promise.all([undo(changeId), undo(changeId, "staff:2")]);
    const kinds = both.flatMap((one) => ("places" in one ? one.places.map((p) => p.kind) : []));
    expect(kinds.toSorted()).toEqual(["restored", "restored_before"]);
    expect(await undo(changeId)).toEqual({ kind: "undone", places: [{ kind: "restored_before" }] });
    expect(await mappings()).toEqual(["A fbc"]);
    expect((await changes()).filter((change) => change.undoes !== null)).toHaveLength(1);
  });

  test("leaves what a colleague changed since, and names them", async () => {
    const changeId = await save(A, { items: items("fbc") });
    await save(A, { items: items("tsh") }, { actor: "staff:2" });
    const outcome = await undo(changeId);
    expect(outcome).toEqual({
      kind: "undone",
      places: [{ kind: "changed_since", by: "Kim Lee" }],
    });
    if (outcome.kind === "undone")
      expect(describeUndo(outcome.places)).toEqual({
        sentence: "Changed meanwhile by Kim Lee. It’s left as it is.",
        isError: true,
      });
    expect(await mappings()).toEqual(["A tsh"]);
  });

  test("leaves a removal that a colleague made since, though it looks like one's own", async () => {
    await save(A, { items: items("fbc") });
    const removal = await remove(A);
    await save(A, { items: items("tsh") }, { actor: "staff:2" });
    await remove(A, "staff:2");
    expect(await undo(removal)).toMatchObject({
      places: [{ kind: "changed_since", by: "Kim Lee" }],
    });
    expect(await mappings()).toEqual([]);
  });

  test("leaves a mapping whose practitioner is in the registry no more", async () => {
    await save(A, { items: MEDICARE });
    const removal = await remove(A);
    await db.pool.query("DELETE FROM practitioners WHERE shop = $1", [shop]);
    expect(await undo(removal)).toMatchObject({
      places: [{ kind: "practitioner_gone", providerNumber: "2426621B" }],
    });
    expect(await mappings()).toEqual([]);
  });

  test("records nothing where a save changes nothing, and knows no change of another shop", async () => {
    const changeId = await save(A, { items: items("fbc") });
    await save(A, { items: items("fbc") }, { actor: "staff:2" });
    expect(await changes()).toHaveLength(1);
    shop = await installedShop(db);
    expect(await undo(changeId)).toEqual({ kind: "unknown" });
  });

  test("is offered to whoever made it, until something follows it", async () => {
    const last = (actor: `staff:${string}`) =>
      inShop((tenant) => tenant.mappingChanges.lastOf(actor, { environment, since: new Date(0) }));
    await save(B, { items: items("fbc") });
    const changeId = await save(A, { items: items("fbc") });
    expect(await last("staff:1")).toEqual({ changeId, became: "order", title: "Blood count – A" });
    expect(await last("staff:2")).toBeNull();
    await undo(changeId);
    // One step back: what was done before it is not offered in its place.
    expect(await last("staff:1")).toBeNull();
    const whole = await save(null, { items: items("tsh") }, { heir: B });
    expect(await last("staff:1")).toMatchObject({ changeId: whole, title: "Blood count" });
  });
});

describe("orders meanwhile", () => {
  const line = orderLine({ variantId: A, productId: PRODUCT });
  const ORDER = gid("Order", 1001);
  const read = (job: { ignoredSince?: string } = {}) =>
    reconcileOrder(
      { ...ports, storeOrders: { read: async () => storeOrder({ lines: [line] }) } },
      { ...job, shop, orderId: ORDER },
    );
  const requests = () => inShop((tenant) => tenant.requests.forOrder(ORDER));
  const reviewCode = async () => {
    const { rows } = await db.pool.query("SELECT review_code FROM orders WHERE shop = $1", [shop]);
    return rows[0]?.review_code;
  };
  const walks = async () => {
    const { rows } = await db.pool.query<{ orderId: string; ignoredSince?: string }>(
      `SELECT payload->>'orderId' AS "orderId", payload->>'ignoredSince' AS "ignoredSince" FROM outbox WHERE shop = $1 AND name = 'reconcile-order'`,
      [shop],
    );
    await db.pool.query("DELETE FROM outbox WHERE shop = $1", [shop]);
    return rows;
  };

  test("keeps the one referral of a unit that waited for the mapping which is undone", async () => {
    const ledger = await startLedger(db);
    await prepare(ledger.shop);
    await read();
    expect(await reviewCode()).toBe("unmapped_line");
    const changeId = await save(A, { items: items("fbc") });
    await read();
    const [request] = await requests();
    if (!request) throw new Error("nothing was opened");
    await inShop(async (tenant) => {
      await tenant.requests.savePatient(
        request.id,
        { patient: PATIENT, medicare: null },
        new Date(),
      );
      await putRequest(tenant, request.id, { state: "ready" });
    });
    expect(await createReferral(ledger.ports, { shop, requestId: request.id })).toMatchObject({
      kind: "created",
    });

    const undone = await undo(changeId);
    expect(undone).toMatchObject({ places: [{ kind: "restored", ordersUsed: 1 }] });
    if (undone.kind === "undone")
      expect(describeUndo(undone.places).sentence).toBe(
        "The mapping is as it was before. 1 order already used the new mapping; it stays as it is.",
      );
    expect(await mappings()).toEqual([]);
    // Whatever is told of the order, and mapped again: the unit has its referral.
    await read();
    expect(await reviewCode()).toBeNull();
    await save(A, { items: items("tsh") });
    await read();
    expect(await createReferral(ledger.ports, { shop, requestId: request.id })).not.toMatchObject({
      kind: "created",
    });
    expect(await requests()).toMatchObject([{ id: request.id, state: "created", generation: 1 }]);
    expect((await requests())[0]?.items.tests).toEqual(["fbc"]);
    expect(ledger.service.calls).toHaveLength(1);
  });

  test("keeps a unit as it was opened that nobody has sent yet", async () => {
    await save(A, { items: items("fbc") });
    const changeId = await save(A, { items: items("tsh") });
    await read();
    expect(await undo(changeId)).toMatchObject({ places: [{ ordersUsed: 1 }] });
    await read();
    expect((await requests()).map((one) => one.items.tests)).toEqual([["tsh"]]);
  });

  test("brings orders back to attention that were taken for no test meanwhile", async () => {
    await read();
    const changeId = await save(A, "ignored");
    await read();
    expect(await reviewCode()).toBeNull();
    await walks();
    expect(await undo(changeId)).toMatchObject({ places: [{ ordersUsed: 0, ordersReread: 1 }] });
    const [job, ...others] = await walks();
    expect([job, ...others]).toMatchObject([{ orderId: ORDER }]);
    await read();
    expect(await reviewCode()).toBeNull();
    // The reading that the undo asks for says that it was a mistake.
    await read(job);
    expect(await reviewCode()).toBe("unmapped_line");
    // A walk of many goes on behind its last.
    const walk = { shop, sold: A, after: ORDER, ignoredSince: new Date(0).toISOString() };
    await reconcileWaiting(ports, walk);
    expect(await walks()).toEqual([]);
  });

  test("handles orders that came in while the mapping was removed by mistake", async () => {
    await save(A, { items: items("fbc") });
    const removal = await remove(A);
    await read();
    expect(await requests()).toEqual([]);
    await walks();
    expect(await undo(removal)).toMatchObject({ places: [{ ordersReread: 1 }] });
    expect(await walks()).toMatchObject([{ orderId: ORDER, ignoredSince: null }]);
    await read();
    expect(await requests()).toHaveLength(1);
  });
});

describe("a run over many", () => {
  const work = async (runId: string) => {
    for (let step = 0; step < 5; step++)
      await workBatch(ports, { shop, batchId: runId }, { mapping_change: mappingChanges });
  };
  const mapBoth = async () => {
    const started = await startRun(ports, {
      ...{ shop, environment, actor: "staff:1" },
      scope: { kind: "chosen", ids: [A, B] },
      wish: { kind: "map", change: { kind: "order", items: items("iron") } },
    });
    if (started.kind !== "started") throw new Error(started.kind);
    return started.runId;
  };

  test("puts every variant back, but for what a colleague changed since", async () => {
    await save(A, { items: items("fbc") });
    const runId = await mapBoth();
    expect(await undoRun(ports, { shop, actor: "staff:1", runId })).toEqual({ kind: "nothing" });
    await work(runId);
    expect(await mappings()).toEqual(["A iron", "B iron"]);
    expect(await findRun(ports, { shop, runId })).toMatchObject({
      mayUndo: true,
      actor: "staff:1",
    });
    await save(B, { items: items("tsh") }, { actor: "staff:2" });

    const undone = await undoRun(ports, { shop, actor: "staff:1", runId });
    if (undone.kind !== "started") throw new Error(undone.kind);
    expect(await undoRun(ports, { shop, actor: "staff:1", runId })).toEqual({ kind: "nothing" });
    await work(undone.runId);
    expect(await mappings()).toEqual(["A fbc", "B tsh"]);
    const report = await readRun(ports, { shop, runId: undone.runId, after: 0 });
    expect(report?.run).toMatchObject({
      ...{ kind: "undo", state: "done", undoes: runId, mayUndo: false },
      counts: { total: 2, done: 1, refused: 1 },
    });
    expect(report?.rows).toMatchObject([
      { was: "iron", becomes: "fbc", outcome: "done", message: null },
      {
        ...{ was: "iron", becomes: "Unmapped", outcome: "refused" },
        message: "Changed meanwhile by Kim Lee. It’s left as it is.",
      },
    ]);
    expect(await findRun(ports, { shop, runId })).toMatchObject({ mayUndo: false });
    expect(await undoRun(ports, { shop, actor: "staff:2", runId })).toEqual({ kind: "nothing" });
  });

  test("is not offered as the last change of one mapping", async () => {
    await work(await mapBoth());
    expect(
      await inShop((tenant) =>
        tenant.mappingChanges.lastOf("staff:1", { environment, since: new Date(0) }),
      ),
    ).toBeNull();
  });
});
