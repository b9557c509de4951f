import { randomUUID } from "node:crypto";
import { gid, type OrderId } from "../../app/modules/kernel/ids.ts";
import type { PrivacyRequestKind } from "../../app/modules/orders/privacy-request.ts";
import { doPrivacyRequest } from "../../app/modules/privacy/do-privacy-request.ts";
import { createShopEraser } from "../../app/modules/privacy/postgres/shop-eraser.ts";
import { createReferral } from "../../app/modules/referrals/create-referral.ts";
import type { StoreAnswer } from "../../app/modules/shops/store-access.ts";
import { askPool } from "../../app/platform/encryption/data-keys.ts";
import { sealerWith } from "../../app/platform/encryption/sealer.ts";
import { SEALED_COLUMNS } from "../../app/sealed-columns.ts";
import type { TestDatabase } from "./database.ts";
import { type Ledger, startLedger } from "./ledger.ts";
import { openedWords } from "./opened-words.ts";
import { readyRequest, storeOrder } from "./seed.ts";
import { resultSnapshot } from "./snapshots.ts";

export const CUSTOMER = gid("Customer", 7);
/** The columns of which something may be somebody's. */
export const SEARCHED = SEALED_COLUMNS.filter(
  ({ table }) => !["connections", "sessions"].includes(table),
);
/** A result’s report, without its bytes. */
export const document = (requestId: string, sourceUuid: string) => ({
  id: randomUUID(),
  requestId,
  customerId: CUSTOMER,
  kind: "result" as const,
  sourceUuid,
  partial: false,
  sha256: randomUUID(),
  bytes: 10,
});

/** Starts what a shop's privacy requests need. `start` gives each test a shop of its own. */
export function privacyRun(db: TestDatabase) {
  let ledger: Ledger;
  let lastInboxId = 0;
  const run = {
    /** The store's answer when it is asked whether the app is still let in; an error: that it gives no answer. */
    storeAnswer: "open" as StoreAnswer | Error,
    async start(): Promise<Ledger> {
      ledger = await startLedger(db);
      run.storeAnswer = "open";
      return ledger;
    },
  };
  const ports = () => ({
    ...ledger.ports,
    shopEraser: createShopEraser(db.pool),
    storeAccess: {
      async check() {
        if (run.storeAnswer instanceof Error) throw run.storeAnswer;
        return run.storeAnswer;
      },
      hasCustomer: () => Promise.reject(new Error("not asked")),
    },
  });

  async function asked(
    kind: PrivacyRequestKind,
    { askedAt = ledger.clock.now(), orderIds = [] as OrderId[] } = {},
  ): Promise<string> {
    const inboxId = String(++lastInboxId);
    await db.tenancy.inShop(ledger.shop, (tenant) =>
      tenant.privacy.open({
        kind,
        inboxId,
        askedAt,
        openedAt: askedAt,
        customerId: kind === "shop_redacted" ? null : CUSTOMER,
        orderIds,
      }),
    );
    return inboxId;
  }
  const perform = (inboxId: string) => doPrivacyRequest(ports(), { shop: ledger.shop, inboxId });
  const find = (id: string) =>
    db.tenancy.inShop(ledger.shop, async (tenant) => ({
      request: await tenant.requests.find(id),
      details: await tenant.requests.patientOf(id),
    }));

  /** An order with a request that has gone all the way, every part of it holding a word of its own. */
  async function wholeStory(canary: string, orderNumber = 1001): Promise<string> {
    const { shop } = ledger;
    const id = await readyRequest(db, shop, { orderNumber });
    const orderId = gid("Order", orderNumber);
    await db.tenancy.inShop(shop, async (tenant) => {
      const buyer = { ...storeOrder().buyer, firstName: `buyer ${canary}` };
      await tenant.orders.record(storeOrder({ id: orderId, buyer }), new Map(), new Date());
      const details = await tenant.requests.patientOf(id);
      if (!details) throw new Error("no details");
      const patient = { ...details.patient, lastName: `patient ${canary}` };
      await tenant.requests.savePatient(id, { ...details, patient }, ledger.clock.now());
    });
    await createReferral(ledger.ports, { shop, requestId: id });
    await db.tenancy.inShop(shop, async (tenant) => {
      const [referral] = await tenant.referrals.forRequests([id]);
      if (!referral) throw new Error("no referral");
      const at = ledger.clock.now();
      const snapshot = resultSnapshot({
        referralUuid: referral.uuid,
        productName: `result ${canary}`,
      });
      await tenant.results.save({
        environment: "staging",
        requestId: id,
        snapshot,
        partial: false,
        inReview: false,
        otherPerson: false,
        releasedAt: at,
        at,
      });
      const release = { name: "Dr Reader", comment: `comment ${canary}`, contacted: false };
      await tenant.results.recordRelease(snapshot.uuid, release);
      await tenant.documents.store(document(id, snapshot.uuid), Buffer.from(`pdf ${canary}`), at);
      await tenant.notifications.note({ requestId: id, kind: "form_ready" }, at);
      const corrected = (await tenant.requests.patientOf(id))?.patient;
      if (corrected)
        await tenant.corrections.add(id, { ...corrected, firstName: `corrected ${canary}` }, at);
    });
    return id;
  }
  /** Everything that the keys which exist open, in every sealed column of every table. */
  async function everythingOpened(): Promise<string> {
    const { shop } = ledger;
    const own = await db.sealers.forShop(shop);
    const texts: string[] = [];
    for (const { table, column, place, subject } of SEARCHED) {
      const { rows } = await db.pool.query<{ subject: string; row: string; sealed: Buffer }>(
        `SELECT ${subject} AS subject, ${place[2]} AS row, ${column} AS sealed
         FROM ${table} t WHERE shop = $1 AND length(${column}) > 0`,
        [shop],
      );
      const sets = await db.sealers.keys.read(
        askPool(db.pool),
        shop,
        rows.map((found) => found.subject),
      );
      for (const { subject: name, row, sealed } of rows) {
        const set = sets.get(name);
        if (!set) throw new Error(`No key seals ${table}.${column}`);
        const field = { table: place[0], column: place[1], row };
        texts.push(openedWords(sealerWith(shop, set, own.open).open(field, sealed)));
      }
    }
    return texts.join("\n");
  }

  /** Where anything of a canary stands in clear or merely encoded, in every row of every table. */
  async function standsIn(canary: string): Promise<string[]> {
    const { rows: tables } = await db.pool.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const forms = [
      canary,
      Buffer.from(canary).toString("hex"),
      Buffer.from(canary).toString("base64"),
    ];
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await db.pool.query<{ text: string }>(
        `SELECT t::text AS text FROM ${name} AS t`,
      );
      if (rows.some(({ text }) => forms.some((form) => text.includes(form)))) found.push(name);
    }
    return found;
  }

  return Object.assign(run, {
    ports,
    asked,
    perform,
    find,
    wholeStory,
    everythingOpened,
    standsIn,
  });
}
