import { expect, test } from "vitest";
import { readForm } from "./read-form.server.ts";

const sent = (body: BodyInit, headers: Record<string, string> = {}) =>
  readForm(new Request("http://app.invalid/app", { method: "POST", body, headers }));
const status = async (reading: Promise<FormData>) =>
  reading.then(
    () => 200,
    ({ init }: { init: ResponseInit }) => init.status,
  );

test("reads a form, and tells a body that is none as the sender's fault", async () => {
  const form = await sent(new URLSearchParams({ intent: "save", name: "Žofie\n2" }));
  expect(Object.fromEntries(form)).toEqual({ intent: "save", name: "Žofie\n2" });
  expect(await status(sent("{}", { "content-type": "application/json" }))).toBe(400);
});

test("a text with a NUL in it, which no keyboard types and no database keeps, is no form", async () => {
  expect(await status(sent(new URLSearchParams({ name: "a\0b" })))).toBe(400);
  const parts = new FormData();
  parts.set("name", "a\0b");
  expect(await status(sent(parts))).toBe(400);
  const files = new FormData();
  files.set("file", new File(["a\0b"], "a.csv"));
  expect(await status(sent(files))).toBe(200);
});
