import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { DAY_MS, mailRun } from "../../../../test/database/mail-run.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { mappedShop, orderLine, PATIENT, storeOrder } from "../../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";

const db = await openTestDatabase();
let shop: ShopDomain;

beforeEach(async () => {
  shop = await mappedShop(db);
});

/** One order in the store, and the shop's mails and reminders by the same clock. */
async function start() {
  const one = await orderInStore(db, shop);
  const run = mailRun(db, shop, one.clock);
  return {
    ...one,
    ...run,
    /** Reads it as it is by now, and sends what is due. */
    async become(order: ReturnType<typeof bought>) {
      await one.read(order);
      await run.runJobs();
      return askedFor(run.mails);
    },
    async afterDays(days: number) {
      run.clock.advance(days * DAY_MS);
      await run.runJobs();
      return askedFor(run.mails);
    },
    reasons: async () =>
      (await one.requests()).map(({ reviewReason }) => reviewReason?.code ?? null),
  };
}
/** Who was asked for details, in turn. */
const askedFor = (mails: { to: string; subject: string }[]) =>
  mails.filter(({ subject }) => /details/.test(subject)).map(({ to }) => to);
const bought = (email: string | null, customerId: string | null, quantity = 1) => ({
  ...storeOrder({ lines: [orderLine({ quantity })] }),
  customerId: customerId === null ? null : gid("Customer", customerId),
  buyer: { ...storeOrder().buyer, email },
});
const SAM = "sam@example.com";

describe("a buyer who gets an email address later", () => {
  test("is asked then, once, and reminded", async () => {
    const { become, afterDays, reviewCode, reasons } = await start();
    expect(await become(bought(null, null, 2))).toEqual([]);
    expect(await reviewCode()).toBe("no_contact");
    expect(await become(bought(SAM, null, 2))).toEqual([SAM]);
    expect(await reviewCode()).toBeNull();
    expect(await become(bought(SAM, null, 2))).toEqual([SAM]);
    expect(await afterDays(2)).toEqual([SAM, SAM]);
    await afterDays(3);
    await afterDays(5);
    expect(await afterDays(11)).toHaveLength(4);
    expect(await reasons()).toEqual(["details_overdue", "details_overdue"]);
  });

  test("is asked once for what was added before and after, and again for what is added then", async () => {
    const { become } = await start();
    await become(bought(null, null, 1));
    expect(await become(bought(SAM, null, 2))).toEqual([SAM]);
    expect(await become(bought(SAM, null, 2))).toEqual([SAM]);
    expect(await become(bought(SAM, null, 3))).toEqual([SAM, SAM]);
  });

  test("is asked for what is left when the unit that the mail was noted for is refunded before it is out", async () => {
    const { read, become } = await start();
    const variantId = gid("ProductVariant", 1);
    const two = storeOrder({ lines: [orderLine(), orderLine({ number: 2, variantId })] });
    await read(two);
    const [first, second] = two.lines;
    if (!first || !second) throw new Error("no lines");
    const left = { ...two, lines: [{ ...first, currentQuantity: 0 }, second] };
    expect(await become(left)).toEqual([SAM]);
    expect(await become(left)).toEqual([SAM]);
  });

  test("is not asked for what needs no answer: given, handed over, refunded or cancelled", async () => {
    const { become, read, requests } = await start();
    await become(bought(null, null, 4));
    const [given, handed] = await requests();
    await db.tenancy.inShop(shop, async (tenant) => {
      const patient = { patient: PATIENT, medicare: null };
      await tenant.requests.savePatient(given?.id ?? "", patient, new Date());
      await putRequest(tenant, given?.id ?? "", { state: "ready" });
    });
    await db.pool.query("UPDATE referral_requests SET owner = 'patient' WHERE id = $1", [
      handed?.id,
    ]);
    const order = bought(SAM, null, 4);
    const left = (quantity: number) => ({
      ...order,
      lines: order.lines.map((line) => ({ ...line, currentQuantity: quantity })),
    });
    expect(await become(left(2))).toEqual([]);
    await read({ ...left(0), cancelledAt: new Date() });
    const { rows } = await db.pool.query(
      "SELECT FROM notifications WHERE shop = $1 AND kind = 'details_needed'",
      [shop],
    );
    expect(rows).toEqual([]);
  });
});

describe("a customer without an email address", () => {
  test("is nobody whom a mail reaches: the merchant is told when the reminders would be over", async () => {
    const { become, afterDays, reviewCode, reasons } = await start();
    await become(bought(null, "7", 2));
    await become(bought(null, "7", 2));
    expect(await reviewCode()).toBeNull();
    await afterDays(20.9);
    expect(await reasons()).toEqual([null, null]);
    expect(await afterDays(0.2)).toEqual([]);
    expect(await reasons()).toEqual(["details_overdue", "details_overdue"]);
  });

  test("gives the details unasked: nobody is told", async () => {
    const { become, afterDays, requests, reasons } = await start();
    await become(bought(null, "7"));
    const [unit] = await requests();
    await db.tenancy.inShop(shop, (tenant) =>
      putRequest(tenant, unit?.id ?? "", { state: "ready" }),
    );
    await afterDays(22);
    expect(await reasons()).toEqual([null]);
  });

  test("gives a buyer who gets an address the time that everybody has from then on", async () => {
    const { become, afterDays, reasons, mails } = await start();
    await become(bought(null, "7"));
    await afterDays(15);
    expect(await become(bought(SAM, "7"))).toEqual([SAM]);
    for (const days of [2, 3, 5]) await afterDays(days);
    expect(await reasons()).toEqual([null]);
    await afterDays(11);
    expect(await reasons()).toEqual(["details_overdue"]);
    // The first one, and the reminders of three days.
    expect(mails).toHaveLength(4);
  });

  test("whom the store knew first by nothing is watched for as well", async () => {
    const { become, afterDays, reviewCode, reasons } = await start();
    await become(bought(null, null));
    expect(await reviewCode()).toBe("no_contact");
    await become(bought(null, "7"));
    expect(await reviewCode()).toBeNull();
    await afterDays(21.1);
    expect(await reasons()).toEqual(["details_overdue"]);
  });
});
