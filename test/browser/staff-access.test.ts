import { expect, test } from "vitest";
import { z } from "zod";
import { only } from "../flows/shopping.ts";
import { eventually, putBack } from "../harness/index.ts";
import { savePolicies } from "../harness/pages.ts";
import { openApp } from "./as-merchant.ts";
import { signIn } from "./as-shopper.ts";
import { openBrowserFixture } from "./browser-fixture.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();

const referralRow = z.object({ uuid: z.string() });
const accessRow = z.object({ line: z.string() });
/** Buys both tests: the first one's results are earlier ones of the second. */
const buyer = await shopping.newShopper();
let earlier: { order: { name: string }; request: { id: string } };

const lookRow = z.object({ reason: z.string(), case_number: z.string().nullable() });

test("staff see results only after they said why, and the timeline keeps it", async () => {
  const { order, requests } = await shopping.buyToForm(buyer);
  const request = only(requests);
  earlier = { order, request };
  const referral = only(
    await world.sql.rows(referralRow, "SELECT uuid FROM referrals WHERE request_id = $1", [
      request.id,
    ]),
  );
  await world.service.generateResults(referral.uuid);
  await eventually(async () =>
    expect(
      await world.sql.count("SELECT count(*) FROM results WHERE request_id = $1 AND NOT partial", [
        request.id,
      ]),
    ).toBe(1),
  );

  const merchant = await newPageAuditor();
  const number = order.id.split("/").at(-1);
  const page = { path: `/app/orders/${number}`, heading: order.name };
  const frame = await openApp(world, merchant, page);
  await frame.getByRole("link", { name: "View results" }).click();
  await frame.getByRole("heading", { name: "Results", level: 1 }).waitFor();
  expect(await frame.locator(".pathway-values").count()).toBe(0);
  await frame.getByRole("button", { name: "Show the results" }).click();
  await frame.getByText("Choose why the results have to be seen.").waitFor();
  await merchant.look("admin-staff-access-question");

  await frame.getByLabel("Why do you need to see them?").selectOption("patient_asked");
  await frame.getByLabel("Case number (optional)").fill("Mr Brown is ill");
  await frame.getByRole("button", { name: "Show the results" }).click();
  await frame.getByText("Enter the case number only").waitFor();
  await frame.getByLabel("Case number (optional)").fill("HD-77");
  await frame.getByRole("button", { name: "Show the results" }).click();
  await frame.locator(".pathway-values").first().waitFor();
  await merchant.look("admin-open-staff-access");
  const looks = await world.sql.rows(
    lookRow,
    "SELECT reason, case_number FROM staff_access WHERE request_id = $1",
    [request.id],
  );
  expect(looks).toEqual([{ reason: "patient_asked", case_number: "HD-77" }]);

  const again = await openApp(world, merchant, page);
  await again.getByText("The results were shown to a member of staff.").first().waitFor();
});

test("the reviewer reads a held critical result and releases it; its patient sees the alert first", async () => {
  await savePolicies(world, {
    releasePolicy: "hold_critical",
    contactName: "Nurse Kim",
    contactPhone: "02 5550 9999",
  });
  putBack(() => savePolicies(world));
  const { order, requests } = await shopping.buyToForm(buyer);
  const request = only(requests);
  const referral = only(
    await world.sql.rows(referralRow, "SELECT uuid FROM referrals WHERE request_id = $1", [
      request.id,
    ]),
  );
  await world.console.sendResults(referral.uuid, { critical: true, seed: 11 });
  await eventually(async () =>
    expect(
      await world.sql.count(
        "SELECT count(*) FROM documents WHERE kind = 'result' AND request_id = $1",
        [request.id],
      ),
    ).toBe(1),
  );

  // The quarter of an hour of the first test is over.
  await world.sql.rows(
    z.unknown(),
    "UPDATE staff_access SET until = opened_at WHERE request_id = $1",
    [earlier.request.id],
  );
  const merchant = await newPageAuditor();
  const inbox = await openApp(world, merchant, {
    path: "/app/attention",
    heading: "Needs attention",
  });
  await inbox.getByText("A result that cannot wait is held for your reviewer.").last().waitFor();
  const handled = inbox.getByRole("button", { name: `Mark as handled: order ${order.name}` });
  expect(await handled.count()).toBe(0);
  await merchant.look("admin-attention-held-result");
  await inbox.getByRole("link", { name: `Review: order ${order.name}` }).waitFor();
  const frame = await openApp(world, merchant, {
    path: "/app/reviews",
    heading: "Results to review",
  });
  const read = frame.getByRole("button", {
    name: new RegExp(`^Read and release: .*order ${order.name}$`),
  });
  await read.waitFor();
  await frame.getByText("Record a contact", { exact: true }).first().click();
  await frame.getByRole("button", { name: "Record contact" }).first().waitFor();
  await merchant.look("admin-reviews");
  await read.click();
  await frame.getByRole("heading", { name: "Results", level: 1 }).waitFor();
  await frame.locator(".pathway-values").first().waitFor();
  const saving = merchant.page.waitForEvent("download");
  await frame.getByRole("button", { name: /^Download report/ }).click();
  expect((await saving).suggestedFilename()).toBe("result-report.pdf");
  await frame.getByRole("button", { name: "Show earlier results" }).click();
  await frame
    .getByText(/^Earlier: /)
    .first()
    .waitFor();
  await frame.getByRole("link", { name: new RegExp(`order ${earlier.order.name}$`) }).waitFor();
  await merchant.look("admin-review-beside-earlier");
  const looks = await world.sql.rows(
    accessRow,
    `SELECT DISTINCT concat(what, ' ', request_id) AS line FROM access_log
     WHERE (request_id = $1 AND what = 'report_opened') OR detail->>'beside' = $1::text`,
    [request.id],
  );
  expect(looks.map(({ line }) => line).sort()).toEqual([
    `report_opened ${request.id}`,
    `result_viewed ${earlier.request.id}`,
  ]);
  await frame.getByRole("button", { name: "Release to the patient" }).click();
  await frame.getByText("Enter your name.").waitFor();
  await merchant.look("admin-review-result");
  await frame.getByLabel("Your name").fill("Dr Robin Reader");
  await frame.getByLabel("Comment (optional)").fill("Rang the patient.");
  await frame.getByRole("button", { name: "Release to the patient" }).click();
  await frame.getByText("Released by Dr Robin Reader: Rang the patient.").waitFor();
  expect(await frame.getByRole("button", { name: "Release to the patient" }).count()).toBe(0);

  const patient = await newPageAuditor({ refusals: true });
  const { page } = patient;
  const shop = world.line.store.store_url;
  await page.goto(`${shop}/account/login`);
  await signIn(world, page, buyer.email);
  await page.goto(`${shop}/account/pages/my-tests`);
  // The newer of the two stands first.
  await page
    .getByRole("button", { name: /^See results/ })
    .first()
    .click();
  await page.getByText(/The laboratory marked \d+ results? as critical/).waitFor();
  await patient.look("account-result-critical");
  await page.goto(`${shop}/apps/pathway`);
  await page
    .getByRole("link", { name: /^See results/ })
    .first()
    .click();
  await page.getByText(/The laboratory marked \d+ results? as critical/).waitFor();
  await page.getByRole("link", { name: "Call Nurse Kim: 02 5550 9999" }).waitFor();
  await patient.look("theme-result-critical", { paper: ["Call Nurse Kim: 02 5550 9999"] });
});
