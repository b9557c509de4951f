import { fileURLToPath } from "node:url";
import { z } from "zod";
import { runCommand } from "./run-command.ts";

const report = z.object({
  summary: z.object({
    violations: z.array(
      z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) }),
    ),
  }),
});

const RULES = fileURLToPath(new URL("./import-rules.mjs", import.meta.url));

/** Returns every import that breaks a rule of import-rules.mjs, in the checkout at `root`. */
export async function findForbiddenImports(
  root = ".",
  folders: readonly string[] = ["app", "sandbox", "extensions"],
): Promise<string[]> {
  const { output, errors } = await runCommand(
    "depcruise",
    ["--config", RULES, "--output-type", "json", ...folders],
    { cwd: root },
  );
  if (!output.startsWith("{")) throw new Error(`dependency-cruiser gave no report: ${errors}`);
  return report
    .parse(JSON.parse(output))
    .summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
}
