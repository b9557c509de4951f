import { expect, test } from "vitest";
import { countStatements } from "../../../../test/database/count-statements.ts";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { mailRun } from "../../../../test/database/mail-run.ts";
import { storeOrder } from "../../../../test/database/seed.ts";
import { queueMail } from "../../kernel/queue-mail.ts";
import { sendNotification } from "../send-notification.ts";

const db = await openTestDatabase();

test("an email about one piece of news asks once whether it is due, and whose test it is", async () => {
  const { shop, requestId, clock } = await startCreated(db);
  const due = { requestId, kind: "form_ready" } as const;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(storeOrder(), new Map(), clock.now());
    await queueMail(tenant, due, { now: clock.now() });
  });
  const run = mailRun(db, shop, clock);
  const statements = await countStatements(async () => {
    expect(await sendNotification(run.ports, { shop, ...due })).toBe("sent");
  });
  expect(run.mails.map(({ subject }) => subject)).toEqual(["Your form is ready (#1001)"]);
  // 46 where each was asked for twice, 38 where the mail itself and its buyer were, 36 where the shop, the request and its
  // referrals were.
  expect(statements).toBeLessThanOrEqual(33);
});
