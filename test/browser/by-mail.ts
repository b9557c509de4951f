import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Opens a mailed link as a person does: looks, then presses the button. */
export async function openMail(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Open my page" }).click();
  await page.getByRole("heading", { level: 1, name: /^Your tests?$/ }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/visit\//);
}
