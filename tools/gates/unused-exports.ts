import { z } from "zod";
import { runCommand } from "./run-command.ts";

const named = z.array(z.object({ name: z.string() })).default([]);
const report = z.object({
  issues: z.array(
    z.object({
      file: z.string(),
      files: named,
      exports: named,
      types: named,
      unlisted: named,
      dependencies: named,
      devDependencies: named,
      unresolved: named,
    }),
  ),
});

/** Returns every file, export and package that nothing uses, and every package that no manifest names. */
export async function findUnused(): Promise<string[]> {
  const { output, errors } = await runCommand("knip", ["--no-progress", "--reporter", "json"]);
  const start = output.indexOf("{");
  if (start === -1) throw new Error(`knip gave no report: ${errors || output}`);
  return report
    .parse(JSON.parse(output.slice(start)))
    .issues.flatMap((issue) => [
      ...issue.files.map(() => `${issue.file}: unused file`),
      ...[...issue.exports, ...issue.types].map(
        ({ name }) => `${issue.file}: unused export ${name}`,
      ),
      ...[...issue.dependencies, ...issue.devDependencies].map(
        ({ name }) => `unused package ${name}`,
      ),
      ...issue.unlisted.map(({ name }) => `${issue.file}: package ${name} is not in the manifest`),
      ...issue.unresolved.map(({ name }) => `${issue.file}: ${name} cannot be found`),
    ]);
}
