import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { dataFolder } from "../../../test/setup/data-folder.ts";
import { createKeyFolder } from "./key-folder.ts";

function folder() {
  const path = mkdtempSync(join(dataFolder(), "pathway-keys-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return { path, store: createKeyFolder(path) };
}

test("reads the whole of an entry or none, however often it is removed and put meanwhile", async () => {
  const { store } = folder();
  const entry = JSON.stringify({ masterKeyId: "a", wrapped: "A".repeat(80) });
  let isOver = false;
  const writing = (async () => {
    for (let turn = 0; turn < 300; turn++) {
      await store.put("epochs/shop/1.key", Buffer.from(entry));
      await store.remove("epochs/shop/1.key");
    }
    isOver = true;
  })();
  const seen = new Set<string | undefined>();
  while (!isOver) seen.add((await store.get("epochs/shop/1.key"))?.toString());
  await writing;
  for (const one of seen) expect([undefined, entry]).toContain(one);
});

test("removes with an entry what writers of it never finished", async () => {
  const { path, store } = folder();
  await store.put("epochs/shop/1.key", Buffer.from("one"));
  await store.put("epochs/shop/2.key", Buffer.from("two"));
  // The machine stopped before these got their names.
  writeFileSync(join(path, "epochs/shop/1.key.6f9619ff-8b86-4d01-b42d-00cf4fc964ff.part"), "one");
  writeFileSync(join(path, "epochs/shop/2.key.7f9619ff-8b86-4d01-b42d-00cf4fc964ff.part"), "two");
  await store.remove("epochs/shop/1.key");
  const left = readdirSync(join(path, "epochs/shop")).map((name) =>
    readFileSync(join(path, "epochs/shop", name), "utf8"),
  );
  expect(left).toEqual(["two", "two"]);
  expect(await store.list("epochs/shop")).toEqual(["2.key"]);
});
