import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { textOfPdf } from "../flows/customer-documents.ts";
import { eventually, type PatientDetails, type TestWorld } from "../harness/index.ts";

/** Signs a customer in with the code from their mail; the page must be the one that asks for their address. */
export async function signIn(world: TestWorld, page: Page, email: string): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Continue" }).click();
  const code = await eventually(async () => {
    for (const { to, text } of await world.store.mail()) {
      const [digits] = to === email ? (text.match(/\b\d{6}\b/) ?? []) : [];
      if (digits) return digits;
    }
    throw new Error(`${email} has no code yet`);
  });
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Orders" }).waitFor();
}

/** The login code on the inbox's page of a mail. */
export async function readCode(inbox: Page): Promise<string> {
  const text = await inbox.getByRole("main").innerText();
  const [code] = text.match(/\b\d{6}\b/) ?? [];
  if (!code) throw new Error("the mail shows no code");
  return code;
}

/** Fills in the date of birth, which has a field for each part: of a hosted form, or of an extension's. */
export async function fillInBirth(page: Page, dob: string): Promise<void> {
  const [year = "", month = "", day = ""] = dob.split("-");
  await page.getByLabel(/^Day( of birth)?$/).fill(day);
  await page.getByLabel(/^Month( of birth.*)?$/).fill(month);
  await page.getByLabel(/^Year( of birth)?$/).fill(year);
}

/** Fills in of the patient's form what it could not know by itself. */
export async function fillInDetails(page: Page, patient: PatientDetails): Promise<void> {
  await fillInBirth(page, patient.dob);
  const sex = patient.gender === "female" ? "Female" : "Male";
  await page.getByLabel("Sex recorded for the test").selectOption({ label: sex });
  await page.getByLabel(/^I agree to/).check();
}

/** Presses a button that opens a document, and answers the words of the PDF that the browser then got. */
export async function openDocument(page: Page, button: RegExp): Promise<string> {
  // This browser has no viewer for PDFs: it saves what another would show.
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).first().click();
  return textOfPdf(await readFile(await (await saving).path()));
}

/**
 * Opens the page again and again until `what` is on it. Each look waits twice as long as the one before: what is not there
 * yet needs a new page, and on a busy machine a page needs time.
 */
export async function openUntil(page: Page, address: string, what: Locator): Promise<void> {
  let waitMs = 1_000;
  await eventually(
    async () => {
      waitMs *= 2;
      await page.goto(address);
      await what.waitFor({ timeout: waitMs });
    },
    { what: String(what), timeoutMs: 120_000 },
  );
}
