import { expect, test } from "vitest";
import { type EmailContent, layOutEmail } from "./lay-out-email.ts";

const CONTENT: EmailContent = {
  ...{
    to: "kim@example.com",
    subject: "Your form is ready (#1001)",
    heading: "Your form is ready",
  },
  about: "For Kim L. · Order #1001",
  paragraphs: ["The form for your order is ready & waits for you.", "Questions?"],
  action: null,
  afterwards: [],
  help: {
    shopName: "Harbour Pathology",
    email: null,
    phone: null,
    hours: null,
    timeZone: "Australia/Perth",
  },
  stop: null,
};

/** The words of the HTML part in their sequence, hidden ones too: a notification shows the first of them. */
const wordsOf = (html = "") =>
  (html.split("<body")[1] ?? "")
    .replace(/^[^>]*>/, "")
    .replaceAll(/<[^>]+>/g, "\n")
    .trim();

test("begins with what is new, so that a phone's notification says more than shop and subject", () => {
  const { html } = layOutEmail(CONTENT);
  expect(wordsOf(html)).toMatch(/^The form for your order is ready &#38; waits for you\.\s/);
  // It is there for notifications alone: the sentence is read once.
  expect(html).toMatch(/<div style="display:none[^"]*" aria-hidden="true">The form/);
});

test("shows a code in no notification before the shop's name", () => {
  const { html } = layOutEmail({ ...CONTENT, figure: "123456" });
  expect(wordsOf(html)).toMatch(/^Harbour Pathology\s/);
});

test("says once what a code is, in each part", () => {
  const { html, text } = layOutEmail({ ...CONTENT, heading: "Your code", figure: "123456" });
  expect(wordsOf(html)).toMatch(/Your code\s+123456\s/);
  expect(text).toMatch(/^Your code: 123456\n/);
});

test("keeps a telephone number on one line of the HTML, with plain spaces in the text part", () => {
  const { html, text } = layOutEmail({
    ...CONTENT,
    paragraphs: ["You can ring Dr Robin Reader: 02 5550 1234."],
    help: { ...CONTENT.help, phone: "03 9000 0000" },
  });
  const words = wordsOf(html);
  expect(words).toContain("Dr Robin Reader: 02\u00a05550\u00a01234.");
  expect(words).toMatch(/Contact Harbour Pathology: \s*03\u00a09000\u00a00000\s*\./);
  expect(text).toContain("Dr Robin Reader: 02 5550 1234.");
  expect(text).toContain("Contact Harbour Pathology: 03 9000 0000.");
});

test("lets a reader ring each number that is clearly one, in the HTML part alone", () => {
  const shown = (number: string, phone: string) =>
    layOutEmail({
      ...CONTENT,
      paragraphs: [`You can ring Dr Robin Reader: ${number}.`],
      phones: [number, "000"],
      help: { ...CONTENT.help, phone },
    });
  const { html, text } = shown("+61 (0)2 5550 1234", "03 9000 0000");
  expect(html?.match(/tel:[^"]+/g)).toEqual(["tel:+61255501234", "tel:0390000000"]);
  expect(text).not.toContain("tel:");
  const unclear = shown("02 5550 1234 ext 4", "1800 HEALTH").html;
  expect(unclear).not.toContain("tel:");
  expect(unclear).toContain("ext 4.");
});

test("lets a reader write to the shop and open an address, in the HTML part alone", () => {
  const account = "https://shop.example/apps/pathway";
  const { html, text } = layOutEmail({
    ...CONTENT,
    paragraphs: ["To check it, contact Harbour Pathology (help@harbour.example)."],
    afterwards: [{ text: "You can also sign in here:", url: account }],
    help: { ...CONTENT.help, email: "help@harbour.example" },
  });
  expect(html?.match(/href="[^"]+/g)).toEqual([
    'href="mailto:help@harbour.example',
    `href="${account}`,
    'href="mailto:help@harbour.example',
  ]);
  expect(text).toContain(`You can also sign in here: ${account}\n`);
  expect(text).toContain("contact Harbour Pathology (help@harbour.example).");
  expect(text).not.toContain("mailto:");
});
