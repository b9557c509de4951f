import { expect, test } from "vitest";
import { codePage } from "./code-page.tsx";
import { invitationPage } from "./invitation-page.tsx";
import { hostedPage } from "./page-response.tsx";
import { passcodePage, sharesPage } from "./share-page.tsx";

const now = new Date("2026-05-01T02:00:00Z");
const help = { shopName: "S", email: null, phone: null, hours: null, timeZone: "Australia/Sydney" };
const context = { base: "/visit/x", formToken: "t", timeZone: help.timeZone };
const asked = { to: "n***@example.com", hasCode: true, pausedUntil: null };
const paused = { ...asked, pausedUntil: new Date(now.getTime() + 60_000) };
const shares = { resultId: "r", title: "Iron studies", shares: [] };
const invitation = { title: "Iron studies", id: "u", email: "", status: 200 };

const titleOf = async (page: Parameters<typeof hostedPage>[0]) =>
  /<title>([^<]*)/.exec(await hostedPage(page, { help }).text())?.[1];

test.each([
  ["a wrong code", codePage(asked, context, { fault: "wrong", now })],
  ["a code that is over", codePage(asked, context, { fault: "no_code", now })],
  ["a code that was not mailed", codePage(asked, context, { fault: "not_mailed", now })],
  ["a code that may not arrive", codePage(asked, context, { fault: "unclear", now })],
  ["too many codes", codePage(paused, context, { now })],
  ["a wrong passcode", passcodePage({ help, fault: "wrong" })],
  ["too many passcodes", passcodePage({ help, pausedSeconds: 60 })],
  ["an impossible end of a share", sharesPage({ ...shares, fault: "invalid" }, context)],
  ["an address that is none", invitationPage({ ...invitation, error: "Enter one." }, context)],
])("the title says first that %s is refused", async (_, page) => {
  expect(await titleOf(page)).toMatch(/^Error: /);
});

test.each([
  ["a code", codePage(asked, context, { now })],
  ["a passcode", passcodePage({ help })],
  ["shares", sharesPage(shares, context)],
  ["an invitation", invitationPage({ ...invitation, error: null }, context)],
])("the title of a page that asks for %s says nothing of an error", async (_, page) => {
  expect(await titleOf(page)).not.toMatch(/Error/);
});
