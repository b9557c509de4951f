// Deploys the app's configuration and its extensions to Shopify: npm run deploy -- [--config NAME] [--check]
//
// In the order that Shopify accepts: placeholders are refused, the extensions are built with the configuration's address
// and weighed, the configuration is validated, and only then a version is made and released. --check ends before
// anything needs a login. What has to be approved before the first deployment stands in README.md.
// Plain JavaScript without packages.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { configFile } from "./shopify-config.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const USAGE = "npm run deploy -- [--config NAME] [--check]";
const { name, isCheck } = readArguments();
const named = name ? ["--config", name] : [];

/** Words that are not understood must not deploy the configuration without a name: it may be another app's. */
function readArguments() {
  if (process.argv.includes("--help")) {
    process.stdout.write(`${USAGE}\n`);
    process.exit(0);
  }
  try {
    const { values } = parseArgs({
      options: { config: { type: "string", short: "c" }, check: { type: "boolean" } },
    });
    if (values.config === "") throw new Error("--config needs a name.");
    return { name: values.config, isCheck: values.check ?? false };
  } catch (error) {
    process.stderr.write(`${error.message}\nUse: ${USAGE}\n`);
    process.exit(1);
  }
}

/** Runs one step in the person's sight; the first that fails ends everything. */
function step(title, file, ...stepArgs) {
  process.stderr.write(`deploy: ${title}\n`);
  const { status } = spawnSync(process.execPath, [join(ROOT, file), ...stepArgs], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = status ?? 1;
  return status === 0;
}

const CLI = "tools/shopify-cli/node_modules/@shopify/cli/bin/run.js";
// The address is a source of the extensions, and the command line builds them once more. The checkout gets it back.
const address = join(ROOT, "extensions/shared/app-url.ts");
const before = readFileSync(address, "utf8");
try {
  const isBuilt = step(
    `building the extensions for ${configFile(name)}`,
    "tools/build-extensions.mjs",
    ...["--force", "--deployment", ...named],
  );
  if (isBuilt && !isCheck)
    step("validating the configuration", CLI, ...["app", "config", "validate"], ...named) &&
      step("making and releasing a version", CLI, ...["app", "deploy"], ...named);
} finally {
  writeFileSync(address, before);
}
