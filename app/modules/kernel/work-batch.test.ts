import { beforeEach, describe, expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { createLogger } from "../../platform/logger.ts";
import type { Tenancy, Tenant } from "../../ports.ts";
import type { Batch, BatchOutcome, NewBatchItem } from "./batch.ts";
import { gid, type ShopDomain } from "./ids.ts";
import { type BatchHandler, workBatch } from "./work-batch.ts";

const db = await openTestDatabase();
const logger = createLogger("silent");
const clock = { now: () => START };
let shop: ShopDomain;
let serial = 0;

beforeEach(async () => {
  shop = await installedShop(db);
});

const inShop = <T>(work: (tenant: Tenant) => Promise<T>) => db.tenancy.inShop(shop, work);
const order = (number: number) => gid("Order", number);
const items = (...numbers: number[]): NewBatchItem[] =>
  numbers.map((number) => ({ subject: order(number), detail: {} }));
const countsOf = (id: string) => inShop((tenant) => tenant.batches.countsOf(id));

function batch(fields: Partial<Batch> = {}): Batch {
  const id = `6f9619ff-8b86-4011-b42d-${String(++serial).padStart(12, "0")}`;
  return {
    ...{ id, kind: "reorder", action: "any", actor: "staff:7", state: "running", plan: {} },
    ...{ cursor: null, createdAt: START, finishedAt: null, ...fields },
  };
}

async function add(given: NewBatchItem[], fields: Partial<Batch> = {}) {
  const added = batch(fields);
  return (await inShop((tenant) => tenant.batches.add(added, given))) ? added.id : null;
}

type Handler = BatchHandler<Tenant, { tenancy: Tenancy }>;

/** Writes a line into the timeline of an order, as a use case does that opens its own transaction. */
const mark = (then: (orderId: string) => BatchOutcome = () => "done"): Handler => ({
  atOnce: 3,
  async work({ tenancy }, { item }) {
    const orderId = gid("Order", item.subject);
    await tenancy.inShop(shop, (tenant) =>
      tenant.timeline.add({ kind: "request_held", actor: "staff:7", at: START, orderId }),
    );
    return { outcome: then(orderId) };
  },
});

const go = (batchId: string, handler: Handler = mark(), tenancy = db.tenancy) =>
  workBatch({ tenancy, clock, logger }, { shop, batchId }, { reorder: handler });

/** The orders whose timeline has a line, one for each line. */
const marked = async () => {
  const { rows } = await db.pool.query<{ id: string }>(
    "SELECT order_id AS id FROM timeline WHERE shop = $1 ORDER BY order_id",
    [shop],
  );
  return rows.map((row) => row.id);
};
const jobs = async () =>
  (await db.pool.query("SELECT FROM outbox WHERE shop = $1 AND name = $2", [shop, "work-batch"]))
    .rowCount;

describe("a batch", () => {
  test("does each item once, a few in each job, and ends with the last", async () => {
    const id = (await add(items(1, 2, 3, 4))) ?? "";
    expect(await go(id)).toBe("more");
    expect(await jobs()).toBe(1);
    expect(await countsOf(id)).toMatchObject({ total: 4, done: 3, waiting: 1 });
    expect(await go(id)).toBe("done");
    expect(await go(id)).toBe("ended");
    expect(await marked()).toEqual([1, 2, 3, 4].map(order));
    expect(await inShop((tenant) => tenant.batches.find(id))).toMatchObject({
      state: "done",
      finishedAt: START,
    });
  });

  test("does each item once when two workers share it", async () => {
    const id = (await add(items(1, 2, 3, 4))) ?? "";
    await Promise.all([go(id), go(id)]);
    await go(id);
    expect(await marked()).toEqual([1, 2, 3, 4].map(order));
    expect(await countsOf(id)).toMatchObject({ done: 4, waiting: 0 });
  });

  test("gives two workers at one moment an item each", async () => {
    const id = (await add(items(1, 2))) ?? "";
    const both = Promise.withResolvers<void>();
    const taken: string[] = [];
    const meeting: Handler = {
      atOnce: 1,
      async work(_, { item }) {
        taken.push(item.subject);
        if (taken.length === 2) both.resolve();
        await both.promise;
        return { outcome: "done" };
      },
    };
    await Promise.all([go(id, meeting), go(id, meeting)]);
    expect(taken.toSorted()).toEqual([1, 2].map(order));
  });

  test("leaves nothing of an item when the process dies before its outcome is stored", async () => {
    const id = (await add(items(1, 2))) ?? "";
    const dying: Tenancy = {
      ...db.tenancy,
      inShop: (of, work) =>
        db.tenancy.inShop(of, async (tenant) => {
          const value = await work(tenant);
          if ((await tenant.batches.countsOf(id)).waiting < 2) throw new Error("killed");
          return value;
        }),
    };
    await expect(go(id, mark(), dying)).rejects.toThrow("killed");
    expect(await marked()).toEqual([]);
    expect(await go(id)).toBe("done");
    expect(await marked()).toEqual([1, 2].map(order));
  });

  test("goes on after an item that failed, and leaves nothing of that item but its outcome", async () => {
    const id = (await add(items(1, 2, 3))) ?? "";
    const failing = mark((orderId) => {
      if (orderId === order(2)) throw new Error("a fault");
      return orderId === order(3) ? "nothing_to_do" : "done";
    });
    await go(id, failing);
    await go(id, failing);
    expect(await marked()).toEqual([1, 3].map(order));
    expect(await countsOf(id)).toMatchObject({ done: 1, nothing_to_do: 1, failed: 1, waiting: 0 });
  });

  test("keeps an item that can't be prepared now, and takes it up later", async () => {
    const id = (await add(items(1, 2))) ?? "";
    const answers = ["now", "later", "now"] as const;
    let asked = 0;
    const handler: Handler = { ...mark(), prepare: async () => answers[asked++] ?? "now" };
    expect(await go(id, handler)).toBe("more");
    expect(await marked()).toEqual([order(1)]);
    expect(await countsOf(id)).toMatchObject({ done: 1, failed: 0, waiting: 1 });
    const { rows } = await db.pool.query<{ at: Date }>(
      "SELECT start_after AS at FROM outbox WHERE shop = $1 AND name = 'work-batch'",
      [shop],
    );
    expect(rows.map(({ at }) => at.getTime() - START.getTime())).toEqual([30_000]);
    expect(await go(id, handler)).toBe("done");
    expect(await marked()).toEqual([1, 2].map(order));
  });

  test("takes no further item in a job that has taken long", async () => {
    const id = (await add(items(1, 2))) ?? "";
    let now = START.getTime();
    const passing = { now: () => new Date(now) };
    const handler: Handler = {
      ...mark(),
      async prepare() {
        now += 15_000;
        return "now";
      },
    };
    const step = () =>
      workBatch(
        { tenancy: db.tenancy, clock: passing, logger },
        { shop, batchId: id },
        { reorder: handler },
      );
    expect(await step()).toBe("more");
    expect(await marked()).toEqual([order(1)]);
    expect(await step()).toBe("more");
    expect(await step()).toBe("done");
    expect(await marked()).toEqual([1, 2].map(order));
  });

  test("stands still while its shop is away, and goes on when the shop is back", async () => {
    const id = (await add(items(1))) ?? "";
    await inShop((tenant) => tenant.shops.uninstall(START));
    expect(await go(id)).toBe("ended");
    expect(await marked()).toEqual([]);
    await inShop((tenant) => tenant.shops.install("", START));
    expect(await go(id)).toBe("done");
    expect(await marked()).toEqual([order(1)]);
  });

  test("is not worked through another shop", async () => {
    const id = (await add(items(1))) ?? "";
    const other = await installedShop(db);
    const ports = { tenancy: db.tenancy, clock, logger };
    const where = { shop: other, batchId: id };
    expect(await workBatch(ports, where, { reorder: mark() })).toBe("ended");
    expect(await marked()).toEqual([]);
  });

  test("lets no item's work reach another shop", async () => {
    const other = await installedShop(db);
    const id = (await add(items(1))) ?? "";
    const straying: Handler = {
      atOnce: 1,
      work: ({ tenancy }) => tenancy.inShop(other, async () => ({ outcome: "done" as const })),
    };
    await go(id, straying);
    expect(await countsOf(id)).toMatchObject({ failed: 1 });
  });
});

describe("collecting", () => {
  /** Finds orders page by page; the second page shows one of the first again. */
  const pages: Handler = {
    ...mark(),
    async collect(_tenant, { cursor }) {
      return cursor === null
        ? { items: items(1, 2), next: "2" }
        : { items: items(2, 3), next: null };
    },
  };

  test("notes each thing once before the first is done", async () => {
    const id = (await add([], { state: "collecting" })) ?? "";
    expect(await go(id, pages)).toBe("collected");
    expect(await countsOf(id)).toMatchObject({ total: 2, waiting: 2 });
    expect(await marked()).toEqual([]);
    expect(await go(id, pages)).toBe("collected");
    expect(await countsOf(id)).toMatchObject({ total: 3, waiting: 3 });
    await go(id, pages);
    await go(id, pages);
    expect(await marked()).toEqual([1, 2, 3].map(order));
  });

  test("is done once by two workers", async () => {
    const id = (await add([], { state: "collecting" })) ?? "";
    await Promise.all([go(id, pages), go(id, pages), go(id, pages)]);
    for (let step = 0; step < 5; step++) await go(id, pages);
    expect(await marked()).toEqual([1, 2, 3].map(order));
  });
});

describe("a shop", () => {
  test("has one batch of a kind under way", async () => {
    const first = await add(items(1));
    expect(await add(items(2))).toBeNull();
    const draft = (await add(items(2), { state: "draft" })) ?? "";
    const apply = () => inShop((t) => t.batches.move(draft, ["draft"], "running", START));
    expect(await apply()).toBe(false);
    expect(await add(items(2), { kind: "mapping_change" })).not.toBeNull();
    await go(first ?? "");
    expect(await apply()).toBe(true);
  });

  test("begins one of two that are asked for at once", async () => {
    const begun = await Promise.all([add(items(1)), add(items(1))]);
    expect(begun.filter((id) => id !== null)).toHaveLength(1);
  });

  test("may have several actions on orders under way", async () => {
    expect(await add(items(1), { kind: "order_action" })).not.toBeNull();
    expect(await add(items(1), { kind: "order_action" })).not.toBeNull();
  });

  test("loses the reports of 90 days ago with the next batch, and none that goes on", async () => {
    const old = new Date(START.getTime() - 91 * 86_400_000);
    const done = (await add(items(1), { createdAt: old })) ?? "";
    await go(done);
    const running = (await add(items(1), { createdAt: old, kind: "order_action" })) ?? "";
    await add(items(1));
    const found = (id: string) => inShop((tenant) => tenant.batches.find(id));
    expect(await found(done)).toBeNull();
    expect(await countsOf(done)).toMatchObject({ total: 0 });
    expect(await found(running)).not.toBeNull();
  });
});

test("keeps what is sealed of an item from its report, and gives it to whoever does the item", async () => {
  const secret = "Fasting since midnight";
  const id = (await add([{ subject: order(1), detail: {}, sealed: secret }])) ?? "";
  const { rows } = await db.pool.query<{ text: string }>(
    "SELECT i::text AS text FROM batch_items i WHERE shop = $1",
    [shop],
  );
  expect(rows[0]?.text).not.toContain(Buffer.from(secret).toString("hex"));
  expect(
    JSON.stringify(await inShop((t) => t.batches.items(id, { after: 0, limit: 9 }))),
  ).not.toContain(secret);
  expect(await inShop((tenant) => tenant.batches.takeDue(id))).toMatchObject({ sealed: secret });
});
