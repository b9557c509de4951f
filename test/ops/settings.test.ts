import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFiles } from "../../app/platform/env.ts";
import { settingsPage } from "../../tools/settings-reference.ts";

test("is what node tools/settings-reference.ts writes", () => {
  const page = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
  expect(page).toBe(settingsPage());
});

test("reads a setting from the file that it names", () => {
  const file = join(tmpdir(), `pathway-setting-${process.pid}`);
  writeFileSync(file, "postgresql://one@two/three\n");
  expect(withFiles({ DATABASE_URL_FILE: file })).toMatchObject({
    DATABASE_URL: "postgresql://one@two/three",
  });
  const both = { DATABASE_URL: "x", DATABASE_URL_FILE: file };
  expect(() => withFiles(both)).toThrow("Set DATABASE_URL or DATABASE_URL_FILE, not both.");
  // A secret that nobody has written yet: without DATABASE_URL a process would start a database of its own.
  writeFileSync(file, "\n");
  expect(() => withFiles({ DATABASE_URL_FILE: file })).toThrow(
    `DATABASE_URL_FILE is empty: ${file}`,
  );
  // Two line breaks, or a blank, are no secret either, and no part of one.
  writeFileSync(file, " \r\n\r\n");
  expect(() => withFiles({ DATABASE_URL_FILE: file })).toThrow(
    `DATABASE_URL_FILE is empty: ${file}`,
  );
  writeFileSync(file, "secret \r\n\r\n");
  expect(withFiles({ SHOPIFY_API_SECRET_FILE: `${file}\r` })).toMatchObject({
    SHOPIFY_API_SECRET: "secret",
  });
  writeFileSync(file, " to the letter \n");
  expect(withFiles({ PATHWAY_WEB_PASSWORD_FILE: file })).toMatchObject({
    PATHWAY_WEB_PASSWORD: " to the letter ",
  });
  // By which compose.yaml says that there is none.
  expect(withFiles({ PATHWAY_S3_SECRET_ACCESS_KEY_FILE: "/dev/null" })).toMatchObject({
    PATHWAY_S3_SECRET_ACCESS_KEY: "",
  });
  const gone = { SMTP_URL_FILE: "/nowhere/smtp_url" };
  expect(() => withFiles(gone)).toThrow("SMTP_URL_FILE cannot be read (ENOENT): /nowhere/smtp_url");
});

test("reads what editors of Windows write, and refuses a file that is no text", () => {
  const file = join(tmpdir(), `pathway-windows-${process.pid}`);
  writeFileSync(file, "\uFEFFsecret\r\n");
  const read = withFiles({ PATHWAY_WEB_PASSWORD_FILE: file, SHOPIFY_API_SECRET_FILE: file });
  expect(read).toMatchObject({ PATHWAY_WEB_PASSWORD: "secret", SHOPIFY_API_SECRET: "secret" });
  const refused = (bytes: Buffer) => {
    writeFileSync(file, bytes);
    expect(() => withFiles({ SHOPIFY_API_SECRET_FILE: file })).toThrow(
      `SHOPIFY_API_SECRET_FILE is no text in UTF-8: ${file}`,
    );
  };
  // As PowerShell writes it, which would be a secret that fits nothing.
  refused(Buffer.from("\uFEFFsecret\r\n", "utf16le"));
  refused(Buffer.from("secret\r\n", "utf16le"));
});
