import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import type { Ledger } from "../../../test/database/ledger.ts";
import { untilWaiting, whoHolds } from "../../../test/database/locks.ts";
import { privacyRun } from "../../../test/database/privacy-run.ts";
import { StoreError } from "../../clients/shopify/store-error.ts";
import { installShop } from "../lifecycle/install-shop.ts";
import { doPrivacyRequest } from "./do-privacy-request.ts";
import { createShopEraser } from "./postgres/shop-eraser.ts";

const db = await openTestDatabase();
const run = privacyRun(db);
const { ports, asked, perform, find, wholeStory } = run;
let ledger: Ledger;

beforeEach(async () => {
  ledger = await run.start();
});

describe("forgetting a shop", () => {
  const uninstall = async () => {
    ledger.clock.advance(1000);
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.uninstall(ledger.clock.now()));
    ledger.clock.advance(48 * 3_600_000);
  };
  const rowsLeft = async () => {
    const { rows } = await db.pool.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'shop'",
    );
    let left = 0;
    for (const { name } of rows)
      left += (await db.pool.query(`SELECT FROM ${name} WHERE shop = $1`, [ledger.shop]))
        .rowCount as number;
    return left;
  };

  test("leaves no row in any table, and a receipt that does not say whose it was", async () => {
    await wholeStory("canary-4");
    const erasures = async () => (await db.pool.query("SELECT * FROM erasures")).rows;
    const before = (await erasures()).length;
    await uninstall();
    const outcome = await perform(await asked("shop_redacted"));
    expect(outcome).toMatchObject({ kind: "done", receipt: { referral_requests: 1, orders: 1 } });
    expect(await rowsLeft()).toBe(0);
    const receipts = await erasures();
    expect(receipts).toHaveLength(before + 1);
    expect(JSON.stringify(receipts)).not.toContain(ledger.shop);
  });

  test("spares a shop that came back, and one that never left", async () => {
    const id = await wholeStory("canary-5");
    await uninstall();
    const inboxId = await asked("shop_redacted");
    ledger.clock.advance(1000);
    await installShop(ledger.ports, { shop: ledger.shop, scope: "" });
    expect(await perform(inboxId)).toEqual({
      kind: "done",
      receipt: { kept: "installed_again" },
    });
    expect((await find(id)).details).not.toBeNull();
    // Asked by a message that seems to be later than the install: the store itself is asked.
    const later = { askedAt: new Date(ledger.clock.now().getTime() + 49 * 3_600_000) };
    expect(await perform(await asked("shop_redacted", later))).toMatchObject({
      receipt: { kept: "installed_again" },
    });
    expect((await find(id)).details).not.toBeNull();
  });

  test("never touches a shop that is installed at that moment, whoever asks", async () => {
    const id = await wholeStory("canary-8");
    const at = ledger.clock.now();
    expect(
      await createShopEraser(db.pool).erase(ledger.shop, { askedAt: at, doneAt: at }),
    ).toBeNull();
    expect((await find(id)).details).not.toBeNull();
  });

  test("waits for the delay to end, and is cancelled by an install meanwhile", async () => {
    const id = await wholeStory("canary-9");
    const delayed = () => {
      const base = ports();
      return { ...base, waits: { ...base.waits, erasureDelayMs: 3_600_000 } };
    };
    const run = (inboxId: string) => doPrivacyRequest(delayed(), { shop: ledger.shop, inboxId });
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.uninstall(ledger.clock.now()));
    const first = await asked("shop_redacted");
    expect(await run(first)).toMatchObject({ kind: "delayed" });
    ledger.clock.advance(3_599_999);
    expect(await run(first)).toMatchObject({ kind: "delayed" });
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.install("", ledger.clock.now()));
    ledger.clock.advance(1);
    expect(await run(first)).toMatchObject({ receipt: { kept: "installed_again" } });
    expect((await find(id)).details).not.toBeNull();
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.uninstall(ledger.clock.now()));
    const second = await asked("shop_redacted");
    ledger.clock.advance(3_600_000);
    expect(await run(second)).toMatchObject({ kind: "done" });
    expect(await rowsLeft()).toBe(0);
  });

  test("a shop that comes back while it is erased is installed after that, so that a restore spares it", async () => {
    await wholeStory("canary-12");
    await uninstall();
    const holder = await whoHolds(db, "SELECT FROM orders WHERE shop = $1 FOR UPDATE", ledger.shop);
    const erasing = perform(await asked("shop_redacted"));
    await untilWaiting(db, 1, erasing);
    const clock = { now: () => new Date() };
    const installing = installShop({ ...ledger.ports, clock }, { shop: ledger.shop, scope: "" });
    await untilWaiting(db, 2, installing);
    await holder.end();
    expect(await erasing).toMatchObject({ kind: "done" });
    await installing;
    const { rows } = await db.pool.query(
      `SELECT installed_at > (SELECT max(erased_at) FROM tombstones WHERE store = shop AND subject = 'shop') AS "isSpared"
       FROM shops WHERE shop = $1`,
      [ledger.shop],
    );
    expect(rows).toEqual([{ isSpared: true }]);
  });

  test("a shop that comes back while it is erased is known by its store's id", async () => {
    await wholeStory("canary-13");
    const storeId = "gid://shopify/Shop/781013";
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.identify(storeId));
    await uninstall();
    const holder = await whoHolds(db, "SELECT FROM orders WHERE shop = $1 FOR UPDATE", ledger.shop);
    const erasing = perform(await asked("shop_redacted"));
    await untilWaiting(db, 1, erasing);
    const installing = installShop(ledger.ports, { shop: ledger.shop, scope: "", storeId });
    await untilWaiting(db, 2, installing);
    await holder.end();
    expect(await erasing).toMatchObject({ kind: "done" });
    expect(await installing).toBe("kept");
    const found = await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.find());
    expect(found).toMatchObject({ installed: true, storeId });
  });

  test("a PDF of a shop that has come back is left by the erasure that still goes through the stores", async () => {
    await wholeStory("canary-14");
    await uninstall();
    const there = new Set(["of-before", "of-after"]);
    const deleted: string[] = [];
    const object = (name: string) => ({ store: "files" as const, object: name, at: new Date() });
    const documentBodies = {
      ...ports().documentBodies,
      async *list() {
        yield object("of-before");
        // It is back, and its first form is placed before the rest is listed.
        await installShop(ledger.ports, { shop: ledger.shop, scope: "" });
        yield object("of-after");
      },
      async delete(_: string, { object: name }: { object: string }) {
        deleted.push(name);
        return there.delete(name);
      },
    };
    const inboxId = await asked("shop_redacted");
    const erasing = { ...ports(), documentBodies };
    expect(await doPrivacyRequest(erasing, { shop: ledger.shop, inboxId })).toMatchObject({
      kind: "done",
    });
    expect(deleted).not.toContain("of-after");
  });

  test("a shop that is gone has what its erasure left deleted", async () => {
    await wholeStory("canary-15");
    await uninstall();
    const deleted: string[] = [];
    const documentBodies = {
      ...ports().documentBodies,
      async *list() {
        for (let nth = 0; nth < 250; nth++)
          yield { store: "files" as const, object: `left-${nth}`, at: new Date() };
      },
      async delete(_: string, { object }: { object: string }) {
        deleted.push(object);
        return true;
      },
    };
    const inboxId = await asked("shop_redacted");
    await perform(inboxId);
    await doPrivacyRequest({ ...ports(), documentBodies }, { shop: ledger.shop, inboxId });
    expect(deleted).toHaveLength(250);
  });

  test("stays cancelled when the shop came back and has left again meanwhile", async () => {
    const id = await wholeStory("canary-10");
    await uninstall();
    const inboxId = await asked("shop_redacted");
    ledger.clock.advance(1000);
    await installShop(ledger.ports, { shop: ledger.shop, scope: "" });
    ledger.clock.advance(1000);
    await uninstall();
    ledger.clock.advance(49 * 3_600_000);
    expect(await perform(inboxId)).toMatchObject({ receipt: { kept: "installed_again" } });
    expect((await find(id)).details).not.toBeNull();
    // The store asks again for that.
    expect(await perform(await asked("shop_redacted"))).toMatchObject({ kind: "done" });
    expect(await rowsLeft()).toBe(0);
  });

  test("is not done on the word of a message alone while the store cannot be asked", async () => {
    await wholeStory("canary-8");
    run.storeAnswer = "unknown";
    ledger.clock.advance(49 * 3_600_000);
    const inboxId = await asked("shop_redacted");
    expect(await perform(inboxId)).toEqual({ kind: "unconfirmed" });
    expect(await rowsLeft()).toBeGreaterThan(0);
    // Maintenance asks again, until somebody can say.
    const undone = () => db.tenancy.inShop(ledger.shop, (tenant) => tenant.privacy.undone());
    expect(await undone()).toEqual([inboxId]);
    run.storeAnswer = "refused";
    await perform(inboxId);
    expect(await rowsLeft()).toBe(0);
  });

  test("is done for a store that Shopify knows by no name still, a quarter of an hour after it asked", async () => {
    await wholeStory("canary-11");
    run.storeAnswer = new StoreError("store_not_found");
    ledger.clock.advance(49 * 3_600_000);
    const inboxId = await asked("shop_redacted");
    await expect(perform(inboxId)).rejects.toThrow("store_not_found");
    ledger.clock.advance(15 * 60_000);
    await perform(inboxId);
    expect(await rowsLeft()).toBe(0);
  });

  test("spares a shop that comes back and leaves again while its patients are told", async () => {
    const id = await wholeStory("canary-12");
    await uninstall();
    const inboxId = await asked("shop_redacted");
    const base = ports();
    let calls = 0;
    const inShop: typeof db.tenancy.inShop = async (shop, work) => {
      // The first call of the erasure looks whether the shop is there.
      if (++calls === 3) {
        ledger.clock.advance(1000);
        await db.tenancy.inShop(shop, ({ shops }) => shops.install("", ledger.clock.now()));
        ledger.clock.advance(1000);
        await db.tenancy.inShop(shop, ({ shops }) => shops.uninstall(ledger.clock.now()));
      }
      return db.tenancy.inShop(shop, work);
    };
    const tenancy = { ...db.tenancy, inShop };
    expect(
      await doPrivacyRequest({ ...base, tenancy }, { shop: ledger.shop, inboxId }),
    ).toMatchObject({ receipt: { kept: "installed_again" } });
    expect((await find(id)).details).not.toBeNull();
  });

  test("is done when another store has the name, and the app is let in by that one alone", async () => {
    const story = async () => {
      await wholeStory("canary-11");
      const storeId = `gid://shopify/Shop/${780_000 + Math.floor(Math.random() * 1e6)}`;
      await installShop(ledger.ports, { shop: ledger.shop, scope: "", storeId });
      ledger.clock.advance(60_000);
      await installShop(ledger.ports, { shop: ledger.shop, scope: "", storeId: `${storeId}9` });
    };
    await story();
    // The former store has its name back, and nobody has noted it yet.
    run.storeAnswer = "open";
    expect(await perform(await asked("shop_redacted"))).toMatchObject({
      receipt: { kept: "installed_again" },
    });
    run.storeAnswer = "of_other_store";
    expect(await perform(await asked("shop_redacted"))).toMatchObject({ kind: "done" });
    expect(await rowsLeft()).toBe(0);
  });

  test("is done also when the message about uninstalling never came", async () => {
    await wholeStory("canary-6");
    run.storeAnswer = "refused";
    ledger.clock.advance(49 * 3_600_000);
    await perform(await asked("shop_redacted"));
    expect(await rowsLeft()).toBe(0);
  });
});
