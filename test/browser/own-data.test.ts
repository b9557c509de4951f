import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import { afterAll, expect, test } from "vitest";
import { oneReferralEach } from "../flows/at-the-service.ts";
import { textOfPdf } from "../flows/customer-documents.ts";
import { linkIn, mailTo } from "../flows/mailed-links.ts";
import { only } from "../flows/shopping.ts";
import { openBrowserFixture } from "./browser-fixture.ts";
import { enterCode, openMail, openPdf } from "./by-mail.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();
// Buyers are mailed links where no account can sign them in.
await world.store.chooseAccounts("legacy");
afterAll(() => world.store.chooseAccounts("new"));

test("a patient shares a result and ends the share, takes and hides their data, and signs out everywhere", async () => {
  const buyer = await shopping.newShopper();
  const patient = shopping.patient(0);
  const name = `${patient.firstName} ${patient.lastName}`;
  const { requests } = await shopping.buyToForm(buyer);
  const phone = await newPageAuditor({ refusals: true });
  await openMail(phone.page, linkIn(await mailTo(world, buyer.email, /form is ready/)));
  const referral = only(await oneReferralEach(world, requests));
  await world.console.sendResults(referral.uuid, { abnormal: true, seed: 7 });
  const { page, look } = await newPageAuditor({ refusals: true, isScriptless: true });
  await openMail(page, linkIn(await mailTo(world, buyer.email, /something new/)));
  const home = page.url();
  await page.getByRole("link", { name: /^See results/ }).click();
  await enterCode(page, world, buyer.email);

  // The doctor sees this result and its report, until the patient ends it.
  await page.getByRole("link", { name: "Share with a doctor" }).click();
  await page.getByRole("button", { name: "Make a link and a passcode" }).click();
  const share = page.getByRole("region", { name: "Shared link 1" });
  const [address = "", passcode = ""] = await share.locator("strong").allInnerTexts();
  await look("guest-shared", { paper: [address, passcode] });
  const doctor = await newPageAuditor({ refusals: true });
  await doctor.page.goto(address);
  await doctor.look("doctor-passcode");
  await doctor.page.getByLabel("Passcode").fill(passcode);
  await doctor.page.getByRole("button", { name: "Show the result" }).click();
  await doctor.page.getByRole("heading", { name: "All values" }).waitFor();
  await doctor.look("doctor-result", { paper: [`${name}, born 17 April 1988`] });
  expect(await openPdf(doctor.page, /^Open result report/)).toMatch(
    new RegExp(patient.lastName, "i"),
  );
  // The page with the result stands open for longer than the passcode counts.
  await doctor.page.context().clearCookies();
  await doctor.page.getByRole("link", { name: /^Open result report/ }).click();
  await doctor.page.getByRole("heading", { name: "Enter the passcode again" }).waitFor();
  await doctor.look("doctor-passcode-again");
  await doctor.page.getByRole("link", { name: "Back to the shared result" }).click();
  await doctor.page.getByLabel("Passcode").fill("1234");
  await doctor.page.getByRole("button", { name: "Show the result" }).click();
  await doctor.page.getByText("Enter the 8 digits of the passcode.").waitFor();
  await doctor.look("doctor-passcode-short");
  await page.reload();
  expect(await share.getByRole("listitem").count()).toBe(1);
  await share.getByRole("button", { name: /^End this link/ }).click();
  await share.waitFor({ state: "detached" });
  await doctor.page.goto(address);
  await doctor.page.getByRole("heading", { name: "This link doesn’t open anything" }).waitFor();
  await doctor.look("doctor-share-ended");

  // Everything that is held can be taken along, with the words that were agreed to.
  await page.goto(home);
  await page.getByRole("link", { name: "Your data and privacy" }).click();
  await page
    .getByText("Somebody with a shared link and its passcode opened the shared results")
    .waitFor();
  await look("guest-data", { paper: ["Who opened what"] });
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download everything" }).click();
  const files = unzipSync(await readFile(await (await saving).path()));
  expect(new TextDecoder().decode(files["values.csv"])).toContain("Haemoglobin");
  const [report] = Object.entries(files).filter(([path]) => path.startsWith("reports/"));
  expect(await textOfPdf(report?.[1] ?? new Uint8Array())).toMatch(
    new RegExp(patient.lastName, "i"),
  );
  await page.getByRole("link", { name: "What you agreed to" }).click();
  const ticked = page.getByText(/^Ticked: I agree to/);
  await ticked.waitFor();
  await look("guest-agreed", { paper: [await ticked.innerText()] });

  // A withdrawn consent hides the results, and the visit on another device ends with this one.
  await page.getByRole("link", { name: "Back to your data and privacy" }).click();
  await page.getByRole("link", { name: /^Delete the data of/ }).click();
  await look("guest-erase", { paper: ["The laboratory and the pathology service keep records"] });
  await page.getByRole("button", { name: "Hide the results instead" }).click();
  await page.getByRole("heading", { name: "The results are hidden" }).waitFor();
  await page.goto(home);
  await page.getByText("You withdrew your consent").waitFor();
  expect(await page.getByRole("link", { name: /result/i }).count()).toBe(0);
  await phone.page.reload();
  await phone.page.getByRole("link", { name: "Your data and privacy" }).waitFor();
  await page.getByRole("link", { name: "Your data and privacy" }).click();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("heading", { name: "You are signed out everywhere" }).waitFor();
  for (const own of [page, phone.page]) {
    await own.goto(own === page ? home : phone.page.url());
    await own.getByRole("heading", { name: /expired or been used/ }).waitFor();
  }
});
