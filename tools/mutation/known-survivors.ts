import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Survivor, sameSurvivor } from "./survivor.ts";

const FILE = fileURLToPath(new URL("./known-survivors.json", import.meta.url));

/** A survivor that changes nothing anybody can see, or nothing that matters. */
type KnownSurvivor = Survivor & { reason: string };

/**
 * Compares what survived in these files with the list. Returns one line for each difference: a survivor that the list
 * does not explain, and an entry that does not survive any more.
 */
export function compareWithKnown(
  files: readonly string[],
  survivors: readonly Survivor[],
  known: readonly KnownSurvivor[] = read(),
): string[] {
  const looked = known.filter(({ file }) => files.includes(file));
  const { left: unexplained, taken } = pair(survivors, looked);
  return [
    ...unexplained.map((one) => `survived: ${tell(one)}`),
    ...looked
      .filter((one) => !taken.has(one))
      .map((one) => `noticed, remove from the list: ${tell(one)}`),
  ];
}

/** Takes the entries of these files that no longer survive out of the list. Adds none. */
export function dropNoticed(files: readonly string[], survivors: readonly Survivor[]): void {
  const known = read();
  const { taken } = pair(survivors, known);
  const left = known.filter((one) => taken.has(one) || !files.includes(one.file));
  writeFileSync(FILE, `${JSON.stringify(left, null, 2)}\n`);
}

/** Two mutants of one line may read alike: each entry stands for one. */
function pair(survivors: readonly Survivor[], known: readonly KnownSurvivor[]) {
  const taken = new Set<KnownSurvivor>();
  const left = survivors.filter((survivor) => {
    const entry = known.find((one) => !taken.has(one) && sameSurvivor(one, survivor));
    if (entry) taken.add(entry);
    return entry === undefined;
  });
  return { left, taken };
}

const tell = ({ file, line, change }: Survivor) => `${file}\n    ${line}\n    ${change}`;

const read = (): KnownSurvivor[] => JSON.parse(readFileSync(FILE, "utf8"));
