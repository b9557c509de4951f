import { expect, it } from "vitest";
import { readMail } from "./read-mail.ts";

const lines = (...parts: string[]) => Buffer.from(parts.join("\r\n"), "latin1");

it("reads folded headers, encoded words and quoted-printable", async () => {
  const mail = lines(
    "From: app@example.com",
    "Subject: =?UTF-8?Q?Your_form_=E2=80=93?=",
    " =?UTF-8?B?IFpvw6s=?=",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "Caf=C3=A9 and a line that goes=",
    " on",
    "",
  );
  expect(await readMail(mail)).toMatchObject({
    subject: "Your form – Zoë",
    text: "Café and a line that goes on\n",
    html: null,
    headers: { from: "app@example.com" },
  });
});

it("finds both bodies within nested parts and leaves attachments out", async () => {
  const mail = lines(
    'Content-Type: multipart/mixed; boundary="outer"',
    "",
    "--outer",
    'Content-Type: multipart/alternative; boundary="inner"',
    "",
    "--inner",
    "Content-Type: text/plain",
    "",
    "plain",
    "--inner",
    "Content-Type: text/html",
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from("<b>rich</b>").toString("base64"),
    "--inner--",
    "--outer",
    "Content-Type: text/plain",
    "Content-Disposition: attachment; filename=a.txt",
    "",
    "attached",
    "--outer--",
  );
  expect(await readMail(mail)).toMatchObject({ subject: "", text: "plain\n", html: "<b>rich</b>" });
});

it("reads a part in the charset that the part names", async () => {
  const mail = lines("Content-Type: text/plain; charset=iso-8859-1", "", "Zo\xeb");
  expect(await readMail(mail)).toMatchObject({ subject: "", text: "Zoë\n", html: null });
});

it("joins a header that was folded", async () => {
  const address = "https://app.example/stop/a-very-long-name.and-a-token";
  const mail = lines("LIST-Unsubscribe:", ` <${address}>`, "", "text", "");
  expect((await readMail(mail)).headers["list-unsubscribe"]).toBe(`<${address}>`);
});
