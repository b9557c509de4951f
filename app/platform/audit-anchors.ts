import { mkdir, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** One line of the anchor files: the head of one log's chain. The log's shop is a hash, for a shop can be forgotten. */
export const anchorLine = z.object({
  log: z.string(),
  number: z.number().int(),
  hash: z.string(),
  sealedAt: z.string(),
});
export type AnchorLine = z.infer<typeof anchorLine>;

/** A finding that an operator has looked into, with the reason: it is told and no longer counts. */
const acceptedLine = z.object({ accepted: z.string(), reason: z.string(), at: z.string() });
export type AcceptedLine = z.infer<typeof acceptedLine>;

const FILE_NAME = /^access-log-.*\.jsonl$/;

/**
 * Adds lines to the anchor file of the day, and waits until the disk has them. The folder lies outside the database:
 * whoever changes the database's past cannot change what stands here. Files are only ever added to, so that a copy may
 * go to a store with a retention lock.
 */
export async function appendAnchors(
  folder: string,
  lines: readonly (AnchorLine | AcceptedLine)[],
  day: Date,
): Promise<void> {
  if (lines.length === 0) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `access-log-${day.toISOString().slice(0, 10)}.jsonl`;
  const file = await open(join(folder, name), "a+", 0o600);
  try {
    const { size } = await file.stat();
    const last = size === 0 ? null : await file.read(Buffer.alloc(1), 0, 1, size - 1);
    // A process that died while it wrote left half a line: this one would be unreadable with it.
    const start = last === null || last.buffer.toString() === "\n" ? "" : "\n";
    await file.appendFile(start + lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Every anchor in the folder, oldest file first, and what was accepted. A folder that is not there has none. */
export async function readAnchors(
  folder: string,
): Promise<{ anchors: AnchorLine[]; accepted: AcceptedLine[]; unreadable: number }> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const found = { anchors: [] as AnchorLine[], accepted: [] as AcceptedLine[], unreadable: 0 };
  for (const name of names.filter((one) => FILE_NAME.test(one)).toSorted()) {
    const text = await readFile(join(folder, name), "utf8");
    for (const line of text.split("\n").filter(Boolean)) readLine(line, found);
  }
  return found;
}

function readLine(line: string, found: Awaited<ReturnType<typeof readAnchors>>): void {
  const json = parsed(line);
  const anchor = anchorLine.safeParse(json);
  const accepted = acceptedLine.safeParse(json);
  if (anchor.success) found.anchors.push(anchor.data);
  else if (accepted.success) found.accepted.push(accepted.data);
  else found.unreadable++;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A process that died while writing leaves half a line: it is counted as unreadable.
    return null;
  }
}
