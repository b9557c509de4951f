import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { textOfPdf } from "../flows/customer-documents.ts";
import { mailedCode } from "../flows/mailed-links.ts";
import type { TestWorld } from "../harness/index.ts";

/** Opens a mailed link as a person does: looks, then presses the button. */
export async function openMail(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Open my page" }).click();
  await page.getByRole("heading", { level: 1, name: /^Your tests?$/ }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/visit\//);
}

/** Asks for the code that a result behind a link needs, and types it as it came by mail. */
export async function enterCode(page: Page, world: TestWorld, email: string): Promise<void> {
  await page.getByRole("heading", { name: "Confirm that it's you" }).waitFor();
  const code = await mailedCode(world, email, () =>
    page.getByRole("button", { name: "Email me a code" }).click(),
  );
  await page.getByLabel("6-digit code").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Follows a link to a PDF and answers its words. This browser saves what another would show. */
export async function openPdf(page: Page, name: RegExp): Promise<string> {
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name }).first().click();
  return textOfPdf(await readFile(await (await saving).path()));
}
