import { expect, test } from "vitest";
import { codePage } from "./code-page.tsx";
import { invitationPage } from "./invitation-page.tsx";
import { hostedPage } from "./page-response.tsx";
import { passcodePage } from "./share-page.tsx";

const now = new Date("2026-05-01T02:00:00Z");
const help = { shopName: "S", email: null, phone: null, hours: null, timeZone: "Australia/Sydney" };
const context = { base: "/visit/x", formToken: "t", timeZone: help.timeZone };
const asked = { to: "n***@example.com", hasCode: true, pausedUntil: null };
const invitation = { title: "Iron studies", id: "u", email: "", status: 422 };

/** The name of the field that a page of one question begins at. */
async function beginsAt(page: Parameters<typeof hostedPage>[0]) {
  const text = await hostedPage(page, { help }).text();
  const [field] = /<input[^>]* autofocus=""[^>]*>/i.exec(text) ?? [];
  return field && / name="([^"]+)"/.exec(field)?.[1];
}

test.each([
  ["code", codePage(asked, context, { fault: "wrong", now })],
  ["code", codePage(asked, context, { fault: "malformed", now })],
  ["passcode", passcodePage({ help, fault: "wrong" })],
  ["email", invitationPage({ ...invitation, error: "Enter one." }, context)],
])(
  "a page whose %s was refused begins at it, for whoever hears the page or types",
  async (field, page) => {
    expect(await beginsAt(page)).toBe(field);
  },
);

test.each([
  ["a code", codePage(asked, context, { now })],
  ["a passcode", passcodePage({ help })],
  ["an invitation", invitationPage({ ...invitation, error: null }, context)],
])("a page that asks for %s the first time begins at its top", async (_, page) => {
  expect(await beginsAt(page)).toBeUndefined();
});
