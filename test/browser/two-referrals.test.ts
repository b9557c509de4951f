import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { z } from "zod";
import { textOfPdf } from "../flows/customer-documents.ts";
import { linkIn, mailTo, tokenIn } from "../flows/mailed-links.ts";
import { only, type Shopper } from "../flows/shopping.ts";
import { bothReferrals } from "../flows/two-referrals.ts";
import { MEDICARE_CARD, sellBothParts } from "../harness/both-parts.ts";
import { eventually, putBack } from "../harness/index.ts";
import { releaseResults, savePolicies } from "../harness/pages.ts";
import { openDocument, signIn } from "./as-shopper.ts";
import { openBrowserFixture } from "./browser-fixture.ts";
import { enterCode, openMail } from "./by-mail.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();
const TITLE = "Iron and diabetes check";
const { variantId } = await sellBothParts(world, TITLE);
const shop = world.line.store.store_url;

/** The buyer's one unit of an order, as soon as its parts stand so. */
const unitWhen = (buyer: Shopper, commercial: string, medicare: string) =>
  eventually(
    async () => {
      const own = only((await buyer.api.requests()).filter(({ title }) => title === TITLE));
      expect(own.parts.map(({ part, state }) => [part, state])).toEqual([
        ["commercial", commercial],
        ["medicare", medicare],
      ]);
      return own;
    },
    { what: `a unit that is ${commercial} and ${medicare}`, timeoutMs: 120_000 },
  );

async function saved(page: Page, link: RegExp): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: link }).click(),
  ]);
  return textOfPdf(await readFile(await download.path()));
}

const hiddenResults = (requestId: string) =>
  world.sql.rows(
    z.object({ uuid: z.string(), report: z.string() }),
    `SELECT r.uuid, d.id AS report FROM results r JOIN documents d ON d.source_uuid = r.uuid
     WHERE r.released_at IS NULL AND r.request_id = $1`,
    [requestId],
  );

/** The mails by which somebody was told of news, once there are so many. */
const newsOf = (address: string, count: number) =>
  eventually(async () => {
    const all = (await world.store.mail()).filter(({ to }) => to === address);
    const news = all.filter(({ subject }) => /something new/.test(subject));
    expect(news).toHaveLength(count);
    return news;
  });

test("both forms, both results and both reports of a unit open in the account and in the theme", async () => {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[variantId, 1]]);
  const patient = { ...shopping.patient(), medicareCardNumber: MEDICARE_CARD };
  const asked = await shopping.requestsWhen(order, 1);
  await shopping.giveDetails(buyer, asked, patient);
  const unit = await eventually(
    async () => {
      const own = await unitWhen(buyer, "form_ready", "form_ready");
      expect(own.documents.map(({ part }) => part).toSorted()).toEqual(["commercial", "medicare"]);
      return own;
    },
    { what: "both forms", timeoutMs: 120_000 },
  );
  expect(unit.nextStep).toContain("both referral forms");
  const { commercial, medicare } = await bothReferrals(world, only(asked));

  const shopper = await newPageAuditor({ refusals: true });
  const { page } = shopper;
  await page.goto(`${shop}/account/login`);
  await signIn(world, page, buyer.email);
  const account = `${shop}/account/pages/my-tests`;
  await page.goto(account);
  await page.getByText("Open both referral forms").waitFor();
  await shopper.look("account-two-forms");
  const forms = [
    await openDocument(page, /^Open referral form: .*Private tests/),
    await openDocument(page, /^Open referral form: .*Medicare tests/),
  ];
  expect(forms[0]).toContain(commercial.reference);
  expect(forms[1]).toContain(medicare.reference);

  // The first result is released, the second is held by the shop's policy: it exists, and that is all.
  await world.console.sendResults(commercial.uuid, { abnormal: true, seed: 7 });
  await unitWhen(buyer, "results_ready", "form_ready");
  await savePolicies(world, { releasePolicy: "hold_all" });
  putBack(() => savePolicies(world));
  await world.console.sendResults(medicare.uuid, { abnormal: true, seed: 8 });
  const held = await unitWhen(buyer, "results_ready", "in_review");
  expect(held.state).toBe("partial_results");
  const requestId = only(asked).id;
  const hidden = only(
    await eventually(async () => {
      const rows = await hiddenResults(requestId);
      expect(rows).toHaveLength(1);
      return rows;
    }),
  );
  expect(await buyer.api.resultStatus(hidden.uuid)).toBe(404);
  expect(await buyer.api.documentStatus(hidden.report)).toBe(404);
  await page.goto(account);
  await page.getByText("In review", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: /^See results/ }).count()).toBe(1);
  expect(await page.getByRole("button", { name: /^Open result report/ }).count()).toBe(1);
  await shopper.look("account-two-results-held");

  // News that comes close together is told in one mail, and a quick machine is close.
  await newsOf(buyer.email, 1);
  await releaseResults(world, order, requestId);
  const done = await unitWhen(buyer, "results_ready", "results_ready");
  expect(new Set(done.parts.map(({ resultId }) => resultId))).toHaveLength(2);
  expect(done.parts.map(({ resultId }) => resultId)).toContain(done.resultId);
  expect(done.parts[1]?.resultId).toBe(hidden.uuid);
  for (const { text } of await newsOf(buyer.email, 2))
    expect(text).not.toMatch(/Iron|diabetes|Medicare|result/i);

  await page.goto(account);
  await page.getByRole("button", { name: /^See results: .*Medicare tests/ }).waitFor();
  await shopper.look("account-two-results");
  for (const part of ["Private tests", "Medicare tests"]) {
    await page.goto(account);
    await page.getByRole("button", { name: new RegExp(`^See results: .*${part}`) }).click();
    await page.getByText("All values").waitFor();
    await page.getByText(part, { exact: true }).waitFor();
    expect(await openDocument(page, /^Open result report/)).toMatch(
      new RegExp(patient.lastName, "i"),
    );
  }
  await shopper.look("account-result-medicare");

  // A shop with legacy accounts: the same inside its theme.
  const theme = `${shop}/apps/pathway`;
  await page.goto(theme);
  await page.getByRole("heading", { name: "Medicare tests" }).waitFor();
  await shopper.look("theme-two-results");
  expect(await saved(page, /^Open the form that was used ?: .*Medicare tests/)).toContain(
    medicare.reference,
  );
  for (const part of ["Private tests", "Medicare tests"]) {
    await page.goto(theme);
    await page.getByRole("link", { name: new RegExp(`^See results ?: .*${part}`) }).click();
    await page.getByRole("heading", { level: 1, name: part }).waitFor();
    expect(await page.getByRole("link", { name: /^Open result report/ }).count()).toBe(1);
    expect(await saved(page, /^Open result report/)).toMatch(new RegExp(patient.lastName, "i"));
  }
  await shopper.look("theme-result-medicare");

  const other = await shopping.newShopper();
  for (const { resultId } of done.parts)
    expect(await other.api.resultStatus(resultId ?? "")).toBe(404);
  for (const { id } of done.documents) expect(await other.api.documentStatus(id)).toBe(404);
  await page.context().close();
});

test("shows an invited patient both results by a mailed link, and the buyer neither", async () => {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[variantId, 1]]);
  const asked = only(await shopping.requestsWhen(order, 1));
  const address = shopping.newAddress("two");
  await buyer.api.handOver(asked.id, address);
  const token = tokenIn(linkIn(await mailTo(world, address, /ordered something for you/)));
  const answer = await fetch(`${world.line.app_url}/api/customer/requests/${asked.id}/patient`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ ...shopping.patient(1), medicareCardNumber: MEDICARE_CARD }),
  });
  expect(answer.status).toBe(200);
  const { commercial, medicare } = await eventually(() => bothReferrals(world, asked), {
    timeoutMs: 120_000,
  });
  await world.console.sendResults(commercial.uuid, { seed: 3 });
  await world.console.sendResults(medicare.uuid, { seed: 4 });
  await eventually(
    async () => {
      // Both results are told, in one mail or in two.
      const told = await world.sql.count(
        `SELECT count(*) FROM notifications
         WHERE request_id = $1 AND kind = 'results_available' AND sent_at IS NOT NULL`,
        [asked.id],
      );
      expect(told).toBe(2);
    },
    { timeoutMs: 120_000 },
  );
  const patient = await newPageAuditor({ refusals: true });
  await openMail(patient.page, linkIn(await mailTo(world, address, /something new/)));
  const home = patient.page.url();
  await patient.look("patient-two-results");
  for (const part of ["Private tests", "Medicare tests"]) {
    await patient.page.goto(home);
    await patient.page.getByRole("link", { name: new RegExp(`^See results ?: .*${part}`) }).click();
    // Once for the visit.
    if (part === "Private tests") await enterCode(patient.page, world, address);
    await patient.page.getByRole("heading", { level: 1, name: part }).waitFor();
    expect(await saved(patient.page, /^Open result report/)).not.toBe("");
  }
  const seen = only(await buyer.api.requests());
  expect([seen.state, seen.parts, seen.documents]).toEqual(["handed_over", [], []]);
  const results = await world.sql.rows(
    z.object({ uuid: z.string() }),
    "SELECT uuid FROM results WHERE request_id = $1",
    [asked.id],
  );
  expect(results).toHaveLength(2);
  for (const { uuid } of results) expect(await buyer.api.resultStatus(uuid)).toBe(404);
});
