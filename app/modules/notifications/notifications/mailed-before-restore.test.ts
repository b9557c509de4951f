import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase, temporaryKeyFolder } from "../../../../test/database/database.ts";
import { mailRun } from "../../../../test/database/mail-run.ts";
import { RELEASE, REVIEWER, storeOrder } from "../../../../test/database/seed.ts";
import { type DatedResult, resultSnapshot } from "../../../../test/database/snapshots.ts";
import { createMailJournal } from "../../../platform/database/mail-journal.ts";
import { pauseAfterRestore } from "../../../platform/database/pause-after-restore.ts";
import { noteServing, recordServedUntil } from "../../../platform/database/served-until.ts";
import type { KeyStore } from "../../../platform/encryption/key-store.ts";
import { refetchReferral } from "../../referrals/referrals/refetch-referral.ts";
import { releaseResults } from "../../referrals/release-result.ts";
import { refetchResult } from "../../referrals/results/refetch-result.ts";
import type { ShopSettings } from "../../shops/shop.ts";
import { sendMailAgain } from "../send-mail-again.ts";

const db = await openTestDatabase();
const MINUTE_MS = 60_000;
/** All that came after the backup. */
const GONE = ["notifications", "document_bodies", "documents", "results", "timeline", "outbox"];

/** The workers of the lost database have kept the journal for a day. */
async function dateBack(folder: KeyStore) {
  for (const identity of await folder.list("mailed"))
    for (const name of await folder.list(`mailed/${identity}`)) {
      const [at, ...rest] = name.split("-");
      const earlier = [Number(at) - 24 * 60 * MINUTE_MS, ...rest].join("-");
      await folder.put(`mailed/${identity}/${earlier}`, Buffer.alloc(0));
    }
}

/** A unit whose form and result come, a mail server that may be away, and a database that is lost and restored. */
async function start({
  accounts = "new",
  ...settings
}: Partial<ShopSettings> & { accounts?: "new" | "legacy" } = {}) {
  const folder = temporaryKeyFolder();
  await db.pool.query("DELETE FROM database_identity; DELETE FROM loop_heartbeats");
  await pauseAfterRestore(db.pool, { asked: false });
  const created = await startCreated(db, { settings });
  const { shop, clock, requestId, uuids } = created;
  const [referralUuid = ""] = uuids();
  await db.pool.query("UPDATE shops SET customer_accounts = $2 WHERE shop = $1", [shop, accounts]);
  clock.advance(Date.now() - clock.now().getTime());
  const buys = (email: string) =>
    db.tenancy.inShop(shop, async (tenant) => {
      const { buyer } = storeOrder();
      if (!buyer) return expect.unreachable("No buyer");
      await tenant.orders.record(
        storeOrder({ buyer: { ...buyer, email } }),
        new Map(),
        clock.now(),
      );
    });
  await buys("sam@example.com");
  const run = mailRun(db, shop, clock);
  let journal = createMailJournal(db.pool, folder);
  await journal.beat();
  await dateBack(folder);
  let isServerAway = false;
  const taking = run.ports.mailer;
  run.ports.mailer = {
    async send(...mail) {
      if (isServerAway) throw new Error("The mail server is away");
      return taking.send(...mail);
    },
  };
  run.ports.mailJournal = {
    add: (words) => journal.add(words),
    lastOf: (about) => journal.lastOf(about),
    knownSince: () => journal.knownSince(),
  };
  const result = resultSnapshot({
    referralUuid,
    biomarkerSummary: { normal: 1, abnormal: 0, critical: 0, total: 1 },
  });
  const real = await created.ports.services.forConnection(shop, "staging");
  if (!real) return expect.unreachable("No service");
  const services = { forConnection: async () => ({ ...real, getResult: async () => result }) };
  const attachments = {
    download: async () => ({ kind: "pdf" as const, bytes: Buffer.from("%PDF-1.7 form") }),
  };
  const ports = { ...created.ports, services, attachments, mailJournal: run.ports.mailJournal };
  const target = { shop, environment: "staging" } as const;
  /** The subjects of the emails since the last look. */
  const mailed = async () => {
    clock.advance(1_000);
    await run.runJobs();
    return run.mails.splice(0).map(({ subject }) => subject);
  };
  const makes = (updatedAt: Date) =>
    created.service.set(referralUuid, {
      ...{ status: "ISSUED", referralAttachment: "https://service.example/form.pdf" },
      updatedAt: updatedAt.toISOString(),
    });
  return {
    ...{ shop, clock, requestId, mailed, buys, makes, result },
    orderId: storeOrder().id,
    ports: run.ports,
    releases: async () => {
      await releaseResults(created.ports, { shop, requestId, actor: "staff:7", record: RELEASE });
      return mailed();
    },
    mailServerIs: (state: "away" | "back") => {
      isServerAway = state === "away";
    },
    async formComes() {
      await refetchReferral(ports, { ...target, uuid: referralUuid });
      return mailed();
    },
    async resultComes(change: Partial<DatedResult> = {}, { isWaited = true } = {}) {
      Object.assign(result, change);
      await refetchResult(ports, { ...target, uuid: result.uuid });
      return isWaited ? mailed() : [];
    },
    /**
     * The database is lost. A backup from before the form and the result takes its place, with processes of its own; or one that knows
     * what was told until then.
     */
    async restores({ takenAt = new Date(0) } = {}) {
      await journal.beat();
      await noteServing(db.pool, folder);
      await pauseAfterRestore(db.pool, { asked: true });
      await db.pool.query("UPDATE database_identity SET former_identity = identity");
      for (const table of GONE) {
        const since =
          { notifications: "created_at", results: "coalesce(released_at, 'infinity')" }[table] ??
          "'infinity'::timestamptz";
        await db.pool.query(`DELETE FROM ${table} WHERE shop = $1 AND ${since} > $2`, [
          shop,
          takenAt,
        ]);
      }
      await recordServedUntil(db.pool, folder);
      journal = createMailJournal(db.pool, folder);
      await journal.beat();
      clock.advance(MINUTE_MS);
    },
  };
}

test("mails a form of the last minutes once, and nobody a second time after a restore", async () => {
  const { makes, formComes, restores, clock } = await start();
  makes(clock.now());
  expect(await formComes()).toHaveLength(1);
  await restores();
  expect(await formComes()).toEqual([]);
});

test("mails a result once, and nobody a second time after a restore", async () => {
  const { resultComes, restores } = await start();
  expect(await resultComes()).toHaveLength(1);
  await restores();
  expect(await resultComes()).toEqual([]);
});

test("mails nobody again of two results of one test, where the backup knows one of them", async () => {
  const { clock, resultComes, restores } = await start();
  expect(await resultComes()).toHaveLength(1);
  const takenAt = clock.now();
  clock.advance(MINUTE_MS);
  const second = { uuid: randomUUID() };
  expect(await resultComes(second)).toHaveLength(1);
  await restores({ takenAt });
  expect(await resultComes(second)).toEqual([]);
});

test("mails nobody again of two results of one test, where the backup knows none of them", async () => {
  const { clock, resultComes, restores, result } = await start();
  const [first, second] = [result.uuid, randomUUID()];
  await resultComes();
  clock.advance(MINUTE_MS);
  expect(await resultComes({ uuid: second })).toHaveLength(1);
  await restores();
  // The first one's email waits for further news, as it does in a shop.
  expect(await resultComes({ uuid: first }, { isWaited: false })).toEqual([]);
  clock.advance(MINUTE_MS);
  expect(await resultComes({ uuid: second })).toEqual([]);
});

test("mails two results of one test where the one that the backup knows is told anew", async () => {
  const { clock, resultComes, restores, result } = await start();
  expect(await resultComes()).toHaveLength(1);
  const [takenAt, first, second] = [clock.now(), result.uuid, randomUUID()];
  clock.advance(MINUTE_MS);
  expect(await resultComes({ uuid: second })).toHaveLength(1);
  await restores({ takenAt });
  await resultComes({ uuid: first, deletedAt: new Date().toISOString() });
  await resultComes({ uuid: first, deletedAt: null });
  expect(await resultComes({ uuid: second })).toHaveLength(1);
});

test("mails a result after a restore whose email did not go out", async () => {
  const { resultComes, restores, mailServerIs } = await start();
  mailServerIs("away");
  await expect(resultComes()).rejects.toThrow("away");
  mailServerIs("back");
  await restores();
  expect(await resultComes()).toHaveLength(1);
});

test("mails a form after a restore that was made hours before, and whose email did not go out", async () => {
  const { makes, formComes, restores, mailServerIs, clock } = await start();
  mailServerIs("away");
  makes(new Date(clock.now().getTime() - 120 * MINUTE_MS));
  await expect(formComes()).rejects.toThrow("away");
  mailServerIs("back");
  await restores();
  expect(await formComes()).toHaveLength(1);
});

test.each([
  ["nobody with an account", "new", 0],
  ["whoever needs a link, for the former one died with the database", "legacy", 1],
] as const)(
  "mails a form again after a restore that was made hours before to %s",
  async (_, accounts, times) => {
    const { makes, formComes, restores, clock } = await start({ accounts });
    makes(new Date(clock.now().getTime() - 120 * MINUTE_MS));
    expect(await formComes()).toHaveLength(1);
    await restores();
    expect(await formComes()).toHaveLength(times);
    expect(await formComes()).toEqual([]);
  },
);

test("mails a result after a restore that has changed since its email", async () => {
  const { resultComes, restores } = await start();
  expect(await resultComes()).toHaveLength(1);
  await restores();
  expect(await resultComes({ updatedAt: "2031-01-01T00:00:00.000Z" })).toHaveLength(1);
});

test("mails a result after a restore to an address that has changed since its email", async () => {
  const { resultComes, restores, buys } = await start();
  expect(await resultComes()).toHaveLength(1);
  await restores();
  await buys("sam.new@example.com");
  expect(await resultComes()).toHaveLength(1);
});

test("mails whoever needs a link again: the former one died with the database", async () => {
  const { resultComes, restores } = await start({ accounts: "legacy" });
  expect(await resultComes()).toHaveLength(1);
  await restores();
  expect(await resultComes()).toHaveLength(1);
});

test("mails a result that was told before the restore, held by the restored database, and released again", async () => {
  const { resultComes, releases, restores } = await start({
    releasePolicy: "hold_all",
    reviewer: REVIEWER,
  });
  await resultComes();
  expect(await releases()).toHaveLength(1);
  await restores();
  await resultComes();
  expect(await releases()).toHaveLength(1);
});

test("mails a result again that is taken back after the restore, and given again", async () => {
  const { resultComes, restores } = await start();
  await resultComes();
  await restores();
  expect(await resultComes()).toEqual([]);
  expect(await resultComes({ deletedAt: new Date().toISOString() })).toEqual([
    "Something that you could see was taken back (#1001)",
  ]);
  expect(await resultComes({ deletedAt: null })).toHaveLength(1);
});

test("sends such an email again when staff ask for it", async () => {
  const { resultComes, restores, mailed, ports, ...told } = await start();
  await resultComes();
  await restores();
  await resultComes();
  const { shop, orderId, requestId } = told;
  const noted = await db.tenancy.inShop(shop, (t) => t.notifications.ofRequests([requestId]));
  const sentAt = noted.find(({ kind }) => kind === "results_available")?.sentAt;
  if (!sentAt) return expect.unreachable("No email about the result counts as sent");
  const wish = { shop, orderId, requestId, kind: "results_available", actor: "staff:7" } as const;
  told.clock.advance(MINUTE_MS);
  expect((await sendMailAgain(ports, { ...wish, sentAt })).kind).toBe("queued");
  expect(await mailed()).toHaveLength(1);
});
