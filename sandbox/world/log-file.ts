import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const FOLLOW_EVERY_MS = 200;
const TAIL_BYTES = 32 * 1024;

/** The last lines of a log file, indented, for a message about a failure. */
export function lastLines(file: string, count = 20): string {
  const lines = readFrom(file, -TAIL_BYTES).toString("utf8").trimEnd().split("\n");
  return lines
    .slice(-count)
    .map((line) => `    ${line}`)
    .join("\n");
}

/** Writes what a log file gains from now on, each line after `prefix`, until the returned function is called. */
export function followLog(file: string, prefix: string, write: (text: string) => void): () => void {
  const decoder = new TextDecoder();
  let position = 0;
  let unfinished = "";
  const copy = () => {
    const bytes = readFrom(file, position);
    position += bytes.length;
    const lines = (unfinished + decoder.decode(bytes, { stream: true })).split("\n");
    unfinished = lines.pop() ?? "";
    for (const line of lines) write(`${prefix} ${line}\n`);
  };
  const timer = setInterval(copy, FOLLOW_EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    copy();
  };
}

/** The bytes from a position on; a negative one counts from the end. A file that is not there is empty. */
function readFrom(file: string, position: number): Buffer {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch {
    return Buffer.alloc(0);
  }
  try {
    const { size } = fstatSync(descriptor);
    const start = position < 0 ? Math.max(0, size + position) : position;
    const bytes = Buffer.alloc(Math.max(0, size - start));
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, start));
  } finally {
    closeSync(descriptor);
  }
}
