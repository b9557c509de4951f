import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "vitest";

const BOOK = "docs/operations.md";

/** The commands of *Backup and restore* in docs/operations.md, word for word, and the programs that they need. */
export interface Book {
  /** Takes the backup. */
  backUp: string;
  /** The commands that restore it into a new server, one after the other; the last one migrates. */
  restore: string[];
  migrate: string;
  /** Says that the restored database is for good. */
  claim: string;
}

/** Reads the commands. Fails when the book has none, or is written in another way. */
export function readBook(): Book {
  const [backUp = "", ...restore] = blockWith("pg_dump ");
  const [claim = ""] = blockWith("documents claim");
  const migrate = restore.at(-1) ?? "";
  expect([backUp, migrate, claim]).toEqual([
    expect.stringMatching(/^pg_dump /),
    expect.stringContaining("npm run migrate"),
    expect.stringContaining("npm run documents claim"),
  ]);
  return { backUp, restore, migrate, claim };
}

/** The lines of the section's one fenced block that has this text. */
function blockWith(text: string): string[] {
  const [, section = ""] =
    /^## Backup and restore$([\s\S]*?)^##/m.exec(readFileSync(BOOK, "utf8")) ?? [];
  const blocks = section.match(/^ *```\n[\s\S]*?^ *```$/gm) ?? [];
  const found = blocks.filter((block) => block.includes(text));
  expect(found, `blocks of ${BOOK} with "${text}"`).toHaveLength(1);
  const lines = (found[0] ?? "").split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "" && line !== "```");
}

/** Runs one line as an operator would, from the repository. `native`: the folder of the PostgreSQL whose programs it finds. */
export function runLine(
  line: string,
  variables: Record<string, string>,
  native?: string | undefined,
): string {
  const path = [...(native ? [join(native, "bin")] : []), process.env.PATH].join(delimiter);
  const { status, stdout, stderr } = spawnSync("sh", ["-c", line], {
    env: { ...process.env, ...variables, PATH: path },
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  expect(status, `${line}\n${stderr}`).toBe(0);
  // The book says that no line may.
  expect(stderr).not.toMatch(/ERROR|FATAL/);
  return stdout;
}
