import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Stryker } from "@stryker-mutator/core";

/** A mutant that no test noticed, told without line numbers, so that it is the same when lines move. */
export interface Survivor {
  file: string;
  /** The line that the change begins in. */
  line: string;
  /** The text that stood there, and the one put in its place. */
  change: string;
}

export const sameSurvivor = (one: Survivor, other: Survivor): boolean =>
  one.file === other.file && one.line === other.line && one.change === other.change;

type Mutant = Pick<
  Awaited<ReturnType<Stryker["runMutationTest"]>>[number],
  "fileName" | "replacement" | "location"
>;

export function readSurvivors(mutants: readonly Mutant[]): Survivor[] {
  return mutants.map(({ fileName, replacement = "", location: { start, end } }) => {
    // Lines and columns are counted from one.
    const lines = readFileSync(fileName, "utf8").split("\n");
    const touched = lines.slice(start.line - 1, end.line);
    const last = touched.length - 1;
    const former = touched
      .map((text, index) => (index === last ? text.slice(0, end.column - 1) : text))
      .map((text, index) => (index === 0 ? text.slice(start.column - 1) : text))
      .join("\n");
    return {
      file: relative(process.cwd(), fileName),
      line: (touched[0] ?? "").trim(),
      change: `${shortened(former)} → ${shortened(replacement)}`,
    };
  });
}

const shortened = (text: string) => {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length > 120 ? `${flat.slice(0, 80)} … ${flat.slice(-30)}` : flat;
};
