import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { startIssued } from "../../../../test/database/issued.ts";
import { mailRun } from "../../../../test/database/mail-run.ts";
import { PATIENT, storeOrder } from "../../../../test/database/seed.ts";
import { sendNotification } from "../send-notification.ts";

const db = await openTestDatabase();

/** A form that its reader has not been told of yet, when they correct the patient's details. */
async function start() {
  const issued = await startIssued(db);
  const { shop, clock, requestId, correct } = issued;
  const { mails, ports, runJobs } = mailRun(db, shop, clock);
  const due = { requestId, kind: "form_ready" } as const;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(storeOrder(), new Map(), clock.now());
    await tenant.notifications.note(due, clock.now());
  });
  expect(await correct({ dob: "1985-04-03" })).toMatchObject({ kind: "saved" });
  await runJobs();
  return {
    ...issued,
    runJobs,
    send: () => sendNotification(ports, { shop, ...due }),
    /** The subjects of the emails to the test's owner; its patient is told of the details apart. */
    told: () => mails.filter(({ to }) => to !== PATIENT.email).map(({ subject }) => subject),
  };
}

test("says that a form is ready once it has the corrected details", async () => {
  const { send, pass, become, told, runJobs } = await start();
  expect(await send()).toBe("not_due");
  expect(await pass()).toEqual({ kind: "applied" });
  await runJobs();
  expect(told()).toEqual([]);
  await become({ status: "ISSUED" });
  await runJobs();
  expect(told()).toEqual([expect.stringContaining("Your form is ready")]);
});

test("says that a form is ready once the service refused to correct it", async () => {
  const { service, send, pass, told, runJobs } = await start();
  expect(await send()).toBe("not_due");
  service.patchesAreRefused = true;
  expect(await pass()).toEqual({ kind: "refused" });
  await runJobs();
  expect(told()).toHaveLength(2);
  expect(told()).toContainEqual(expect.stringContaining("Your form is ready"));
});
