import { readFile } from "node:fs/promises";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** How a file comes by its world, in the order in which a process runs them. */
const KINDS = [/\bshareWorld\(QUICK_WORLD\)/, /\b(shareWorld|openBrowserFixture)\(/];

/**
 * Within a project, files with a world of their own come first, then those that share one, those of the same world
 * together. So no world waits idle for its next file, which takes an eighth of a core.
 */
export class WorldOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = sorted.map(({ project }) => project);
    const ranked = await Promise.all(
      sorted.map(async (file) => {
        const text = await readFile(file.moduleId, "utf8");
        return { file, project: projects.indexOf(file.project), rank: rankOf(text) };
      }),
    );
    return ranked
      .toSorted((a, b) => a.project - b.project || a.rank - b.rank)
      .map(({ file }) => file);
  }
}

const rankOf = (text: string) => 1 + KINDS.findIndex((kind) => kind.test(text));
