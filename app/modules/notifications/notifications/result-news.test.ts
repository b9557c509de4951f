import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { DAY_MS, mailRun } from "../../../../test/database/mail-run.ts";
import { RELEASE, REVIEWER, storeOrder } from "../../../../test/database/seed.ts";
import { type DatedResult, resultSnapshot } from "../../../../test/database/snapshots.ts";
import { releaseResults } from "../../referrals/release-result.ts";
import { refetchResult } from "../../referrals/results/refetch-result.ts";
import type { ReleasePolicy } from "../../shops/shop.ts";

const db = await openTestDatabase();
const summary = { biomarkerSummary: { normal: 1, abnormal: 0, critical: 0, total: 1 } };

/** A unit whose result the service tells anew, and the emails that its buyer gets. */
async function start(releasePolicy: ReleasePolicy = "automatic") {
  const { shop, ports, clock, uuids, requestId, find } = await startCreated(db, {
    settings: { releasePolicy, reviewer: REVIEWER },
  });
  const { id } = storeOrder();
  const orderId = (await find())?.orderId ?? id;
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.record(storeOrder({ id: orderId }), new Map(), clock.now()),
  );
  const run = mailRun(db, shop, clock);
  const [referralUuid = ""] = uuids();
  let current = resultSnapshot({ referralUuid, ...summary });
  const [marker] = current.biomarkers;
  if (!marker) throw new Error("The sample has no biomarker");
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const services = { forConnection: async () => ({ ...real, getResult: async () => current }) };
  /** The emails to the buyer since the last look, each with its subject first. */
  const told = async () => {
    await run.runJobs();
    return run.mails
      .splice(0)
      .filter(({ to }) => to === "sam@example.com")
      .map(({ subject, text }) => `${subject.replace(/ \(#.*\)$/, "")}: ${text}`);
  };
  await told();
  return {
    told,
    /** The sample's only value, and one that came after it. */
    withAnother: (value: string) => [
      { ...marker, value, formattedValue: value },
      { ...marker, id: randomUUID(), value: "7", formattedValue: "7" },
    ],
    async arrives(value: string, fields: Partial<DatedResult> = {}) {
      clock.advance(DAY_MS / 24);
      const updatedAt = new Date(Date.parse(current.updatedAt) + 60_000).toISOString();
      const biomarkers = [{ ...marker, value, formattedValue: value }];
      current = { ...current, updatedAt, biomarkers, ...fields };
      await refetchResult(
        { ...ports, services },
        { shop, environment: "staging", uuid: current.uuid },
      );
      return told();
    },
    async release() {
      await releaseResults(ports, { shop, requestId, actor: "staff:7", record: RELEASE });
      return told();
    },
  };
}

test("tells whoever could see a result that it was taken back, once", async () => {
  const { arrives } = await start();
  expect(await arrives("40")).toHaveLength(1);
  const deletedAt = "2026-11-20T01:00:00Z";
  const [mail, ...more] = await arrives("40", { deletedAt });
  expect(more).toEqual([]);
  expect(mail).toMatch(/^Something that you could see was taken back: /);
  expect(mail).toContain("Please don’t go by it.");
  expect(mail).not.toMatch(/result|laborator/i);
  expect(await arrives("40", { deletedAt })).toEqual([]);
});

test("tells nobody of a result that was taken back before anybody saw it", async () => {
  const { arrives } = await start("hold_all");
  await arrives("40");
  expect(await arrives("40", { deletedAt: "2026-11-20T01:00:00Z" })).toEqual([]);
});

test("says of a result that it has changed, also where it is told of as new after a review", async () => {
  const { arrives, release } = await start("hold_all");
  expect(await arrives("40")).toHaveLength(1);
  expect(await release()).toHaveLength(1);
  const [held, ...more] = await arrives("41");
  expect(held).toMatch(/^Something that you could see has changed: /);
  expect(held).toContain("Please don’t go by what you saw.");
  expect(more).toEqual([]);
  // The reader has heard that already.
  expect(await arrives("42")).toEqual([]);
  const [released, ...others] = await release();
  expect(released).toContain("Something that you could see before for your order has changed.");
  expect(others).toEqual([]);
});

test("says of a partial result that is completed with another value that it has changed", async () => {
  const { arrives } = await start();
  await arrives("40", { status: "PARTIAL" });
  const [mail, ...more] = await arrives("41", { status: "COMPLETE" });
  expect(mail).toContain("There is something new for your order.");
  expect(mail).toContain("Something that you could see before for your order has changed.");
  expect(more).toEqual([]);
});

test("says of a critical result that is none after a correction that it has changed", async () => {
  const { arrives } = await start();
  const critical = { normal: 0, abnormal: 1, critical: 1, total: 1 };
  const [first] = await arrives("40", { biomarkerSummary: critical });
  expect(first).toMatch(/^Please open your results today/);
  const [mail, ...more] = await arrives("4", summary);
  expect(mail).toContain("Something that you could see before for your order has changed.");
  expect(more).toEqual([]);
});

test("asks first to open a critical result today, and says second that it has changed", async () => {
  const { arrives } = await start();
  const critical = { biomarkerSummary: { normal: 0, abnormal: 1, critical: 1, total: 1 } };
  const today = "Please open the results of your order today";
  const changed = "Something that you could see before for your order has changed.";
  const [first] = await arrives("40", critical);
  expect(first).toContain(today);
  expect(first).not.toContain(changed);
  const [mail = "", ...more] = await arrives("4", critical);
  expect(mail).toMatch(/^Please open your results today/);
  expect(mail.indexOf(changed)).toBeGreaterThan(mail.indexOf(today));
  expect(more).toEqual([]);
});

test("tells of a partial result that was held once it is released", async () => {
  const { arrives, release } = await start("hold_all");
  expect(await arrives("40", { status: "PARTIAL" })).toHaveLength(1);
  const [mail, ...more] = await release();
  expect(mail).toMatch(/^Part of your order is ready to see: /);
  expect(more).toEqual([]);
});

test("tells of values that come to a complete result, and that it is complete again", async () => {
  const { arrives, withAnother } = await start();
  expect(await arrives("40")).toHaveLength(1);
  const biomarkers = withAnother("40");
  const [added, ...more] = await arrives("40", { status: "PARTIAL", biomarkers });
  expect(added).toMatch(/^Part of your order is ready to see: /);
  expect(more).toEqual([]);
  const [complete, ...others] = await arrives("40", { status: "COMPLETE", biomarkers });
  expect(complete).toMatch(/^There is something new for you to see: /);
  expect(complete).not.toContain("has changed");
  expect(others).toEqual([]);
  expect(await arrives("40", { status: "PARTIAL", biomarkers })).toEqual([]);
  expect(await arrives("40", { status: "COMPLETE", biomarkers })).toEqual([]);
});

test("tells of values that come as a result is complete again, once", async () => {
  const { arrives, withAnother } = await start();
  await arrives("40");
  expect(await arrives("40", { status: "PARTIAL" })).toEqual([]);
  const biomarkers = withAnother("40");
  const mails = await arrives("40", { status: "COMPLETE", biomarkers });
  expect(mails).toEqual([expect.stringMatching(/^There is something new for you to see: /)]);
  expect(await arrives("40", { biomarkers })).toEqual([]);
});

test("tells once of a partial result that is complete for the first time", async () => {
  const { arrives, withAnother } = await start();
  expect(await arrives("40", { status: "PARTIAL" })).toHaveLength(1);
  const biomarkers = withAnother("40");
  const mails = await arrives("40", { status: "COMPLETE", biomarkers });
  expect(mails).toEqual([expect.stringMatching(/^There is something new for you to see: /)]);
  expect(await arrives("40", { biomarkers })).toEqual([]);
});
