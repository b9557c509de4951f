import { afterAll, beforeEach, expect, test } from "vitest";
import { startMailServer } from "../../../test/database/mail-server.ts";
import { shopDomain } from "../../modules/kernel/ids.ts";
import { RecipientRefusedError } from "../../modules/kernel/notification.ts";
import { createSmtpMailer } from "./smtp-mailer.ts";

const shop = shopDomain("shop.myshopify.com") ?? expect.fail();
const { url, stop, raw: taken } = await startMailServer();
afterAll(stop);
beforeEach(() => {
  taken.length = 0;
});

const mailer = createSmtpMailer({ url, from: "Pathway <tests@pathway.example>" });
const MAIL = {
  ...{ to: "kim@example.com", subject: "Your test", text: "Hello", html: "<p>Hello</p>" },
  ...{ fromName: "Store", unsubscribeUrl: null },
};
const BREAKS = ["\r\n", "\n", "\r", "\u2028", "%0d%0a"];

/** The head of a mail as lines, each header whole. */
const headOf = (source: string) =>
  (source.split(/\r?\n\r?\n/)[0] ?? "").replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);

test.each(BREAKS)(
  "a line break (%j) in a name or subject makes no header and no recipient",
  async (end) => {
    const attack = `Ada${end}Bcc: thief@evil.example${end}X-Evil: 1`;
    await mailer.send(shop, { ...MAIL, subject: attack, fromName: attack });
    expect(taken.flatMap(({ to }) => to)).toEqual(["kim@example.com"]);
    const names = headOf(taken[0]?.source ?? "").map((line) => line.split(":")[0]?.toLowerCase());
    expect(names).not.toContain("bcc");
    expect(names).not.toContain("x-evil");
  },
);

test.each([
  "kim@example.com, thief@evil.example",
  "kim@example.com; thief@evil.example",
  "kim@example.com\r\nRCPT TO:<thief@evil.example>",
  "kim@example.com> <thief@evil.example",
  '"kim@example.com" <thief@evil.example>',
  "group: kim@example.com, thief@evil.example;",
])("an address that is more than one address (%j) reaches nobody", async (to) => {
  await expect(mailer.send(shop, { ...MAIL, to })).rejects.toBeInstanceOf(RecipientRefusedError);
  expect(taken).toEqual([]);
});

test("somebody whose address has a plus, a quote or another script is written to", async () => {
  for (const to of ["kim+tests@example.com", "o'brien@example.com"])
    await mailer.send(shop, { ...MAIL, to });
  expect(taken.flatMap(({ to }) => to)).toEqual(["kim+tests@example.com", "o'brien@example.com"]);
});

test("several people of the shop's get one mail, each address checked", async () => {
  await mailer.send(shop, { ...MAIL, alsoTo: ["owner@example.com"] });
  expect(taken.map(({ to }) => to)).toEqual([["kim@example.com", "owner@example.com"]]);
  taken.length = 0;
  // The reviewer hears of it although the contact address is none.
  await mailer.send(shop, { ...MAIL, alsoTo: ["owner@example.com, thief@evil.example"] });
  expect(taken.map(({ to }) => to)).toEqual([["kim@example.com"]]);
});
