import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { afterAll, beforeEach, expect, test } from "vitest";
import { startMailServer } from "../../../test/database/mail-server.ts";
import { listening } from "../../../test/samples/listening.ts";
import { shopDomain } from "../../modules/kernel/ids.ts";
import { RecipientRefusedError } from "../../modules/kernel/notification.ts";
import { mails } from "../../platform/counters.ts";
import { createSmtpMailer } from "./smtp-mailer.ts";

const shop = shopDomain("shop.myshopify.com") ?? expect.fail();
const { url, stop, raw: taken, refuse, takeAll } = await startMailServer();
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
  "kim\u0000@example.com",
  "kim@example\u0007.com",
  "kim\u007f@example.com",
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

test("names the one of several who is refused, and only that one, however addresses are written", async () => {
  refuse("owner@example.org");
  const alsoTo = ["Owner@Example.ORG", "pat@Bücher.example"];
  expect(await mailer.send(shop, { ...MAIL, alsoTo })).toEqual(["Owner@Example.ORG"]);
  expect(taken.map(({ to }) => to)).toEqual([["kim@example.com", "pat@bücher.example"]]);
  takeAll();
  expect(await mailer.send(shop, { ...MAIL, alsoTo })).toEqual([]);
});

/** A server that takes a mail but for one command, whose answer is this one, or none. */
async function refusing(
  command: "EHLO" | "RCPT" | "DATA" | "END",
  answer: string | null,
  {
    patience,
    totalMs,
  }: {
    patience?: { connectionTimeout: number; greetingTimeout: number; socketTimeout: number };
    totalMs?: number;
  } = {},
) {
  const server = createServer((socket) => {
    const drip = () => {
      // An answer without an end, a byte at a time: the connection is never silent.
      const drops = setInterval(() => socket.write("2"), 20);
      socket.on("close", () => clearInterval(drops));
    };
    const say = (line: string | null) =>
      line === "close" ? socket.destroy() : line && socket.write(`${line}\r\n`);
    let isBody = false;
    say("220 mail.example");
    createInterface({ input: socket }).on("line", (line) => {
      if (isBody) {
        if (line !== ".") return;
        isBody = false;
        if (command !== "END") return say("250 2.0.0 taken");
        return answer === "drip" ? drip() : say(answer);
      }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === command) return answer === "drip" ? drip() : say(answer);
      isBody = verb === "DATA";
      say(isBody ? "354 go on" : verb === "QUIT" ? "221 bye" : "250 mail.example");
    });
    socket.on("error", () => socket.destroy());
  });
  return createSmtpMailer({
    url: `smtp://127.0.0.1:${await listening(server)}?ignoreTLS=true`,
    from: "Pathway <tests@pathway.example>",
    ...(patience ? { patience } : {}),
    ...(totalMs ? { totalMs } : {}),
  });
}

test.each([
  ["EHLO", "mail_not_taken"],
  ["RCPT", "mail_not_taken"],
  ["DATA", "mail_not_taken"],
  ["END", "mail_unclear"],
] as const)(
  "a server that answers %s a byte at a time is given up before its job would run twice",
  async (command, code) => {
    const slow = await refusing(command, "drip", { totalMs: 300 });
    await expect(slow.send(shop, MAIL)).rejects.toMatchObject({ code });
  },
);

test.each(["EHLO", "RCPT"] as const)(
  "a server that falls silent at %s is given up, and tried again",
  async (command) => {
    const patience = { connectionTimeout: 2_000, greetingTimeout: 2_000, socketTimeout: 50 };
    const silent = await refusing(command, null, { patience });
    await expect(silent.send(shop, MAIL)).rejects.toMatchObject({ code: "mail_not_taken" });
  },
);

test.each([null, "close"] as const)(
  "a server that has the mail and never says whether it takes it (%s) may have taken it",
  async (answer) => {
    const patience = { connectionTimeout: 2_000, greetingTimeout: 2_000, socketTimeout: 50 };
    const silent = await refusing("END", answer, { patience });
    await expect(silent.send(shop, MAIL)).rejects.toMatchObject({
      ...{ code: "mail_unclear", retryable: false },
    });
  },
);

test("a mail has the same Message-ID each time, and nothing that anybody could read", async () => {
  const tries = [
    { ...MAIL, key: "review_today 8f1e" },
    { ...MAIL, key: "review_today 8f1e" },
    { ...MAIL, key: "review_today 9a2b" },
    { ...MAIL, key: "review_today 8f1e", to: "robin@example.com" },
  ];
  for (const mail of tries) await mailer.send(shop, mail);
  const ids = taken.map(({ source }) =>
    headOf(source).find((line) => line.startsWith("Message-ID:")),
  );
  expect(ids[1]).toBe(ids[0]);
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^Message-ID: <[0-9a-f]{40}@pathway\.example>$/);
});

test.each([
  ["RCPT", "550 No such user here"],
  ["RCPT", "550 5.1.1 <kim@example.com>: Recipient address rejected: User unknown"],
  ["RCPT", "553 5.1.3 bad address syntax"],
  ["RCPT", "556 5.1.10 the domain takes no mail"],
  ["RCPT", "550 5.2.1 the mailbox is disabled"],
  ["RCPT", "553 5.6.7 the address needs SMTPUTF8"],
  ["RCPT", "550 5.4.1 Recipient address rejected: Access denied"],
  ["END", "550 5.1.1 no such mailbox"],
] as const)(
  "an address that is refused for good at %s (%s) is told at once",
  async (command, answer) => {
    const refused = await refusing(command, answer);
    await expect(refused.send(shop, MAIL)).rejects.toMatchObject({
      ...{ code: "mail_recipient_refused", isFinal: true },
    });
  },
);

test.each([
  ["RCPT", "450 4.2.0 greylisted"],
  ["RCPT", "552 5.2.2 the mailbox is full"],
  ["RCPT", "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using a list"],
  ["RCPT", "554 5.7.1 <kim@example.com>: Relay access denied"],
  ["RCPT", "553 5.1.8 the sender's domain does not exist"],
  [
    "END",
    "550-5.7.26 This mail is unauthenticated, which poses a security risk\r\n550 5.7.26 to the sender",
  ],
  ["END", "554 5.6.0 message content rejected"],
  ["END", "554 Transaction failed"],
  ["END", "451 4.3.0 try again"],
] as const)(
  "a refusal at %s (%s) that says nothing of the address for good is tried again",
  async (command, answer) => {
    const refused = await refusing(command, answer);
    await expect(refused.send(shop, MAIL)).rejects.toMatchObject({
      ...{ code: "mail_recipient_refused", isFinal: false },
    });
  },
);

test("a sender that is no address is ours to mend, and blames nobody who was to read the mail", async () => {
  const unset = createSmtpMailer({ url, from: "Pathway <tests pathway>" });
  await expect(unset.send(shop, MAIL)).rejects.toMatchObject({ code: "mail_not_taken" });
  expect(taken).toEqual([]);
});

/** How often each outcome was counted while something was done. */
async function counted(work: () => Promise<unknown>) {
  const now = () => new Map(mails.values().map(({ labels, value }) => [labels.outcome, value]));
  const before = now();
  await work();
  const grown = [...now()].map(([outcome, n]) => [outcome, n - (before.get(outcome) ?? 0)]);
  return Object.fromEntries(grown.filter(([, n]) => n !== 0));
}

const FROM = "Pathway <tests@pathway.example>";

test.each([
  ["taken", () => mailer],
  ["not_taken", () => createSmtpMailer({ url: undefined, from: FROM })],
  ["not_taken", () => createSmtpMailer({ url: "smtp://127.0.0.1:1", from: FROM })],
  ["unclear", () => refusing("END", "close")],
  ["put_off", () => refusing("RCPT", "450 4.2.0 greylisted")],
  ["refused", () => refusing("RCPT", "550 5.1.1 no such mailbox")],
] as const)("counts a mail as %s", async (outcome, open) => {
  const smtp = await open();
  const work = () => smtp.send(shop, MAIL).catch((error: Error) => error.name);
  expect(await counted(work)).toEqual({ [outcome]: 1 });
});
