import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { listCustomerRequests } from "../../access/list-requests.ts";
import { gid } from "../../kernel/ids.ts";
import { refetchResult } from "../results/refetch-result.ts";
import { refetchReferral } from "./refetch-referral.ts";

const db = await openTestDatabase();
const FORM_URL = "https://service.example/form.pdf";

/** An issued referral, and a service that makes another in its place. */
async function start(options: Parameters<typeof startCreated>[1] = {}) {
  const created = await startCreated(db, options);
  const { shop, ports, clock, service, requestId } = created;
  const [first = ""] = created.uuids();
  const attachments = {
    // Each referral's form is a PDF of its own.
    download: async (url: string) => ({
      kind: "pdf" as const,
      bytes: Buffer.from(`%PDF-1.7 ${url}`),
    }),
  };
  const hear = (uuid: string) =>
    refetchReferral({ ...ports, attachments }, { shop, environment: "staging", uuid });
  const become = (uuid: string, status: string, form?: string) => {
    const referralAttachment = status === "ISSUED" ? `${FORM_URL}?${uuid} ${form ?? ""}` : null;
    service.set(uuid, { status, referralAttachment });
    return hear(uuid);
  };
  await become(first, "ISSUED");
  await created.takeJobs();
  return {
    ...created,
    first,
    hear,
    become,
    async make() {
      clock.advance(60_000);
      const uuid = randomUUID();
      const at = clock.now().toISOString();
      const like = service.referrals.find((one) => one.uuid === first);
      const times = { createdAt: at, updatedAt: at };
      service.referrals.unshift({ ...like, ...times, uuid, status: "CREATED" });
      Object.assign(service.referrals[0] ?? {}, { referralAttachment: null });
      await hear(uuid);
      return uuid;
    },
    async result(referralUuid: string) {
      const real = await ports.services.forConnection(shop, "staging");
      if (!real) throw new Error("no service");
      const snapshot = resultSnapshot({ referralUuid });
      const services = {
        forConnection: async () => ({ ...real, getResult: async () => snapshot }),
      };
      const target = { shop, environment: "staging", uuid: snapshot.uuid } as const;
      await refetchResult({ ...ports, services }, target);
    },
    reviewReason: async () => (await created.find())?.reviewReason,
    replacedBy: async (uuid: string) =>
      (await created.referrals()).find((one) => one.uuid === uuid)?.replacedBy,
    links: async () =>
      (await created.story(requestId)).filter((kind) => kind === "referral_replaced").length,
    /** The mails about forms and results. */
    async mailJobs() {
      const { rows } = await db.pool.query<{ due: string }>(
        `DELETE FROM outbox WHERE shop = $1 AND name = 'send-mail'
         RETURNING concat_ws(' ', payload->>'kind', payload->>'occurrence') AS due`,
        [shop],
      );
      return rows.map(({ due }) => due).filter((due) => !due.startsWith("state_changed"));
    },
  };
}

describe("a referral that the service made in another's place", () => {
  test.each(["FAILED_TEST", "INSUFFICIENT_DATA", "REFUNDED"])(
    "is linked to it when that one is heard to be %s only afterwards",
    async (status) => {
      const one = await start();
      const second = await one.make();
      expect(await one.reviewReason()).toEqual({ code: "duplicate_referral", detail: null });
      await one.become(one.first, status);
      expect(await one.replacedBy(one.first)).toBe(second);
      expect(await one.replacedBy(second)).toBeNull();
      expect(await one.reviewReason()).toBeNull();
      await one.hear(one.first);
      await one.hear(second);
      expect(await one.links()).toBe(1);
      expect(await one.reviewReason()).toBeNull();
    },
  );

  test("that is deleted in its turn leaves the test to a person, who orders it again once", async () => {
    const one = await start();
    await one.become(one.first, "FAILED_TEST");
    const second = await one.make();
    expect(await one.reviewReason()).toBeNull();
    one.service.set(second, { deletedAt: one.clock.now().toISOString() });
    await one.hear(second);
    expect(await one.reviewReason()).toEqual({ code: "deleted_at_service", detail: null });
    const { shop } = one;
    const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
    const shown = await listCustomerRequests({ tenancy: db.tenancy }, { shop, viewer });
    expect(shown).toMatchObject([{ state: "needs_support" }]);
    expect(await one.reorder()).toMatchObject({ kind: "reordered" });
    expect(await one.reviewReason()).toBeNull();
    await one.hear(second);
    expect(await one.reviewReason()).toBeNull();
  });

  test("is linked when the other one's failure was written down by somebody else", async () => {
    const one = await start();
    const second = await one.make();
    await db.pool.query("UPDATE referrals SET status = 'FAILED_TEST' WHERE uuid = $1", [one.first]);
    one.service.set(one.first, { status: "FAILED_TEST" });
    await one.hear(one.first);
    expect(await one.replacedBy(one.first)).toBe(second);
    expect(await one.reviewReason()).toBeNull();
  });

  test("that fails itself has the next one in its place", async () => {
    const one = await start();
    const second = await one.make();
    const third = await one.make();
    await one.become(one.first, "FAILED_TEST");
    expect(await one.reviewReason()).toEqual({ code: "duplicate_referral", detail: null });
    await one.become(second, "FAILED_TEST");
    expect(await one.replacedBy(one.first)).toBe(second);
    expect(await one.replacedBy(second)).toBe(third);
    expect(await one.reviewReason()).toBeNull();
  });

  test("is none that was there before, or was deleted, or is the other part", async () => {
    const one = await start();
    const second = await one.make();
    await one.become(second, "FAILED_TEST");
    expect(await one.replacedBy(second)).toBeNull();
    expect(await one.reviewReason()).toEqual({ code: "duplicate_referral", detail: null });

    const other = await start();
    const deleted = await other.make();
    other.service.set(deleted, { deletedAt: other.clock.now().toISOString() });
    await other.hear(deleted);
    await other.become(other.first, "FAILED_TEST");
    expect(await other.replacedBy(other.first)).toBeNull();

    const both = await start({ items: BOTH_PARTS });
    const [, medicare = ""] = both.uuids();
    both.service.set(medicare, { createdAt: "2027-01-01T00:00:00.000Z" });
    await both.hear(medicare);
    await both.become(both.first, "FAILED_TEST");
    expect(await both.replacedBy(both.first)).toBeNull();
  });
});

describe("what a shopper is told of it", () => {
  const OCCASIONS = ["before", "after"] as const;
  test.each(OCCASIONS)("its form, when the failure is heard of %s it is made", async (heard) => {
    const one = await start();
    await one.become(one.first, "ISSUED", "corrected");
    await one.mailJobs();
    if (heard === "before") await one.become(one.first, "FAILED_TEST");
    const second = await one.make();
    one.clock.advance(60_000);
    await one.become(second, "ISSUED");
    if (heard === "after") await one.become(one.first, "FAILED_TEST");
    await one.hear(second);
    expect(await one.mailJobs()).toEqual([`form_ready ${second}`]);
    await one.become(second, "ISSUED", "corrected");
    expect(await one.mailJobs()).toEqual([`form_corrected ${second} 2`]);
  });

  test("its result, whatever came of the first", async () => {
    const one = await start({ settings: { releasePolicy: "automatic" } });
    await one.result(one.first);
    await one.become(one.first, "FAILED_TEST");
    const second = await one.make();
    one.clock.advance(60_000);
    await one.result(second);
    expect(await one.mailJobs()).toEqual(["results_available", `results_available ${second}`]);
  });
});
