import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeDurably } from "./write-durably.ts";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pathway-durably-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("leaves nothing beside a file", async () => {
  const folder = await temporaryFolder();
  await writeDurably(join(folder, "one"), Buffer.from("bytes"));
  expect(await readFile(join(folder, "one"), "utf8")).toBe("bytes");
  expect(await readdir(folder)).toEqual(["one"]);
});

test("leaves nothing of a file that could not be written: a full disk would only get fuller", async () => {
  const folder = await temporaryFolder();
  // Something else is in its place.
  await mkdir(join(folder, "one", "within"), { recursive: true });
  await expect(writeDurably(join(folder, "one"), Buffer.from("bytes"))).rejects.toThrow();
  expect(await readdir(folder)).toEqual(["one"]);
});
