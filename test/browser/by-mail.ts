import type { Page } from "playwright-core";
import { expect } from "vitest";
import { eventually, type TestWorld } from "../harness/index.ts";

/** The newest mail to an address whose subject says so, as soon as it is there. */
export const mailTo = (world: TestWorld, email: string, subject: RegExp) =>
  eventually(
    async () => {
      const mails = (await world.store.mail()).filter((mail) => mail.to.includes(email));
      const found = mails.find((mail) => subject.test(mail.subject));
      if (!found) throw new Error(`${email} has: ${mails.map((mail) => mail.subject).join("; ")}`);
      return found;
    },
    { what: `a mail to ${email}`, timeoutMs: 40_000 },
  );

/** The address that a mail leads to. Throws when it has none. */
export function linkIn({ text }: { text: string }, page = "t"): string {
  const [link] = new RegExp(`http\\S+/${page}/\\S+`).exec(text) ?? [];
  if (!link) throw new Error("The mail has no link");
  return link;
}

/** Opens a mailed link as a person does: looks, then presses the button. */
export async function openMail(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Open my page" }).click();
  await page.getByRole("heading", { level: 1, name: /^Your tests?$/ }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/visit\//);
}
