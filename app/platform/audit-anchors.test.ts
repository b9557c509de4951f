import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { appendAnchors, readAnchors } from "./audit-anchors.ts";

test("an anchor is read although the process before died in the middle of another", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pathway-anchors-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const day = new Date("2026-11-27T03:00:00Z");
  const anchor = (number: number) => ({ log: "a", number, hash: "b", sealedAt: "c" });
  await appendAnchors(folder, [anchor(1)], day);
  appendFileSync(join(folder, "access-log-2026-11-27.jsonl"), '{"log":"a","num');
  await appendAnchors(folder, [anchor(2)], day);
  await appendAnchors(folder, [anchor(3)], day);
  expect(await readAnchors(folder)).toEqual({
    anchors: [anchor(1), anchor(2), anchor(3)],
    ...{ accepted: [], unreadable: 1 },
  });
});
