import type { Page } from "playwright-core";
import { expect } from "vitest";
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
