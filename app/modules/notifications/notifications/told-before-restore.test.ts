import { beforeEach, expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase, temporaryKeyFolder } from "../../../../test/database/database.ts";
import { mailRun } from "../../../../test/database/mail-run.ts";
import { storeOrder } from "../../../../test/database/seed.ts";
import { pauseAfterRestore } from "../../../platform/database/pause-after-restore.ts";
import { noteServing, recordServedUntil } from "../../../platform/database/served-until.ts";
import { refetchReferral } from "../../referrals/referrals/refetch-referral.ts";
import { sendMailAgain } from "../send-mail-again.ts";
import { sendNotification } from "../send-notification.ts";

const db = await openTestDatabase();
const folder = temporaryKeyFolder();
const HOUR_MS = 3_600_000;
const SYNC_MS = 5 * 60_000;
const MAIL_WINDOW_MS = 120_000;
const FORM_URL = "https://service.example/form.pdf";
let created: Awaited<ReturnType<typeof startCreated>>;

beforeEach(async () => {
  await db.pool.query("DELETE FROM database_identity; DELETE FROM loop_heartbeats");
  await pauseAfterRestore(db.pool, { asked: false });
  created = await startCreated(db);
  // A buyer without such an account needs a link, and is told of its form again (docs/decisions/0218).
  await db.pool.query("UPDATE shops SET customer_accounts = 'new' WHERE shop = $1", [created.shop]);
  // The buyer's address.
  await db.tenancy.inShop(created.shop, (tenant) =>
    tenant.orders.record(storeOrder(), new Map(), created.clock.now()),
  );
});

const ago = (ms: number) => new Date(Date.now() - ms);
/** The last beat of a worker that the backup, or the standby, knows of. */
const beat = (at: Date) =>
  db.pool.query(
    `INSERT INTO loop_heartbeats (process_id, loop, roles, failures, beat_at)
     VALUES (gen_random_uuid(), 'relay', '{worker}', 0, $1)`,
    [at],
  );
/** This database takes the place of one that is lost, now. */
async function takePlace() {
  await db.pool.query("UPDATE database_identity SET identity = 'the lost one'");
  await pauseAfterRestore(db.pool, { asked: false });
  await recordServedUntil(db.pool, folder);
}
/** The sync finds the referral with its form, which is fetched and noted to be announced. Answers what became of the mail. */
async function formOf(madeAt: Date) {
  const { ports, clock, shop, service, uuids, requestId } = created;
  const [uuid = ""] = uuids();
  // Noted after the switch.
  clock.advance(Date.now() - clock.now().getTime() + 1_000);
  service.set(uuid, {
    ...{ status: "ISSUED", referralAttachment: FORM_URL },
    updatedAt: madeAt.toISOString(),
  });
  const attachments = {
    download: async () => ({ kind: "pdf" as const, bytes: Buffer.from("%PDF-1.7 form") }),
  };
  const run = mailRun(db, shop, clock);
  const waits = { ...run.ports.waits, mailWindowMs: MAIL_WINDOW_MS, syncIntervalMs: SYNC_MS };
  await refetchReferral({ ...ports, attachments, waits }, { shop, environment: "staging", uuid });
  const send = () =>
    sendNotification({ ...run.ports, waits }, { shop, requestId, kind: "form_ready" });
  // News waits for company.
  await send();
  clock.advance(MAIL_WINDOW_MS);
  /** Staff press "Send again" on the order's page. */
  const sendAgain = async () => {
    const noted = await db.tenancy.inShop(shop, (t) => t.notifications.ofRequests([requestId]));
    const sentAt = noted.find(({ kind }) => kind === "form_ready")?.sentAt;
    if (!sentAt) return expect.unreachable("No email about the form counts as sent");
    const { id: orderId } = storeOrder();
    const wish = { shop, orderId, requestId, kind: "form_ready", actor: "staff:7" } as const;
    const answer = await sendMailAgain(run.ports, { ...wish, sentAt });
    clock.advance(MAIL_WINDOW_MS);
    return [answer.kind, await send()];
  };
  return { outcomes: [await send(), await send()], mails: run.mails, sendAgain };
}

test("announces a form once that the service made while no database was there", async () => {
  await beat(ago(2 * HOUR_MS));
  await takePlace();
  const { outcomes, mails } = await formOf(ago(HOUR_MS));
  expect(outcomes).toEqual(["sent", "not_due"]);
  expect(mails).toHaveLength(1);
});

test("announces a form that the lost database was about to announce, or that only the sync would have found", async () => {
  await beat(ago(2 * HOUR_MS));
  await takePlace();
  const madeAt = ago(2 * HOUR_MS + MAIL_WINDOW_MS + SYNC_MS - 1_000);
  expect((await formOf(madeAt)).outcomes).toEqual(["sent", "not_due"]);
});

test("does not announce again what the lost database had the time to announce", async () => {
  await beat(ago(2 * HOUR_MS));
  await takePlace();
  const madeAt = ago(2 * HOUR_MS + MAIL_WINDOW_MS + SYNC_MS + 60_000);
  const { outcomes, mails } = await formOf(madeAt);
  expect(outcomes).toEqual(["not_due", "not_due"]);
  expect(mails).toEqual([]);
});

test("does not announce again what was made between an old backup and the end of the lost database", async () => {
  // The backup is a day old. The folder of keys has seen the lost database work until now.
  await beat(ago(24 * HOUR_MS));
  await noteServing(db.pool, folder);
  await pauseAfterRestore(db.pool, { asked: true });
  await db.pool.query("UPDATE database_identity SET former_identity = identity");
  await recordServedUntil(db.pool, folder);
  expect((await formOf(ago(HOUR_MS))).outcomes).toEqual(["not_due", "not_due"]);
});

test("announces a form when nothing tells how long the lost database worked", async () => {
  await takePlace();
  expect((await formOf(ago(HOUR_MS))).outcomes).toEqual(["sent", "not_due"]);
});

test("sends such an email again when staff ask for it", async () => {
  await beat(ago(2 * HOUR_MS));
  await takePlace();
  const told = await formOf(ago(3 * HOUR_MS));
  expect(told.mails).toEqual([]);
  expect(await told.sendAgain()).toEqual(["queued", "sent"]);
  expect(told.mails).toHaveLength(1);
});

test("sends an email about a form again that was sent before this database took the other's place", async () => {
  const { sendAgain, mails } = await formOf(ago(3 * HOUR_MS));
  expect(mails).toHaveLength(1);
  await beat(ago(2 * HOUR_MS));
  await takePlace();
  expect(await sendAgain()).toEqual(["queued", "sent"]);
  expect(mails).toHaveLength(2);
});
