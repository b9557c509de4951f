/**
 * Every npm script starts here, on whatever Node from 20 on the machine has.
 *
 * It makes sure of a new enough Node, the packages, the database client, Shopify's schema and the builds,
 * each only when it is missing or stale, and then runs the task. Plain JavaScript without packages, because
 * nothing is installed yet when it first runs. What it says goes to standard error: some tasks promise one
 * JSON line on standard output.
 *
 * Long because it names every task with what it needs.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isFresh, markFresh } from "./freshness.mjs";
import { LONG_FILES } from "./long-files.mjs";
import { step } from "./progress.mjs";
import { withSetupLock } from "./setup-lock.mjs";
import { asksForHelp, helpOf } from "./task-help.mjs";
import { TYPE_CHECKER, TYPE_PROJECTS } from "./type-projects.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [task, ...args] = process.argv.slice(2);
const env = {
  ...process.env,
  // Compiled once, for every process that is started here (app/server.ts does so for itself).
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, ".cache/compiled"),
  // Whatever is started here ends with us.
  PATHWAY_WORLD_ENDS_WITH_PARENT: "1",
};
// Libraries tell more of a failure than a visitor may know unless this is said.
if (task === "start" || task === "dev") env.NODE_ENV ??= "production";
// A development store meets services of this machine.
if (task === "dev") env.PATHWAY_ALLOW_PLAIN_HTTP ??= "1";
/** A process that only works stays smaller still (docs/decisions/0021). */
const WORKER_FLAGS = ["--heap-growing-percent=15", "--no-allocation-site-pretenuring"];
const workerFlags = process.env.PATHWAY_ROLES === "worker" ? WORKER_FLAGS : [];
let node = process.execPath;

/** Everything a task may need, by name; each does nothing when there is nothing to do. */
const needs = {
  async node() {
    const [major, minor] = process.versions.node.split(".").map(Number);
    const newEnough = major > 23 || (major === 22 && minor >= 18);
    if (!newEnough) node = await packagedNode();
    env.PATH = [dirname(node), join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
    env.npm_node_execpath = node;
  },
  async packages() {
    const stamp = { name: "packages", inputs: ["package-lock.json"], output: "node_modules" };
    if (isFresh(root, stamp)) return;
    await step("Installing packages (a minute or so, once)", () => npm(["ci"], root));
    markFresh(root, stamp);
  },
  async client() {
    const stamp = {
      name: "client",
      inputs: ["prisma/schema.prisma"],
      output: "app/generated/prisma",
    };
    if (isFresh(root, stamp)) return;
    await step("Generating the database client", () =>
      quietly(node, ["node_modules/prisma/build/index.js", "generate"]),
    );
    markFresh(root, stamp);
  },
  async schema() {
    const fetched = existsSync(join(root, ".schema/source.json"));
    const check = () => quietly(node, ["tools/shopify-schema.mjs"]);
    await (fetched ? check() : step("Fetching Shopify's schema", check));
  },
  async app() {
    const stamp = {
      name: "app",
      inputs: ["app", "vite.config.ts", "package-lock.json"],
      output: "build/server",
    };
    if (isFresh(root, stamp)) return;
    await step("Building the app", () =>
      quietly(node, ["node_modules/@remix-run/dev/dist/cli.js", "vite:build"], {
        NODE_ENV: "production",
      }),
    );
    markFresh(root, stamp);
  },
  async extensions() {
    await visibly(node, ["tools/build-extensions.mjs"]);
  },
};

const typescript = TYPE_PROJECTS.map((project) => [TYPE_CHECKER, "--noEmit", "-p", project]);
const gates = ["tools/gates/main.ts"];
const biome = "node_modules/@biomejs/biome/bin/biome";
const vitest = ["node_modules/vitest/vitest.mjs", "run"];
const withoutDeaths = [
  ...vitest,
  ...["processes", "chaos", "drills"].flatMap((name) => ["--project", `!${name}`]),
];
/** Whether a project or files are named: then these are run, however long they take. */
const isChosen = args.some((word) => !word.startsWith("-"));
/** Their environment says how long they are. */
const LONG_FORMS = [
  ...vitest,
  ...["--project", "app", "test/model/ledger-model.test.ts", "app/web/intake/fuzz.test.ts"],
];
/** Attacks on parts, and on a whole world (docs/security.md). Each is in `npm test` too, in a short form. */
const ATTACKS_ON_PARTS = [
  ...["app/web/intake", "app/web/rate-limiting", "app/web/response-headers.test.ts"],
  ...["app/clients/shopify", "app/clients/referral-service/attachments"],
  ...["app/clients/referral-service/events", "app/modules/access", "app/modules/privacy"],
  ...["app/tenancy.test.ts", "app/platform/encryption"],
];
const ATTACKS_ON_A_WORLD = ["strangers", "secrecy", "floods", "every-answer", "forged-topics"].map(
  (name) => `test/flows/${name}.test.ts`,
);
const drills = [...vitest, "--project", "drills"];
const covered = [...vitest, "--project", "app", "--coverage"];
const coverage = ["tools/coverage-summary.ts"];
const ENV_FILE = "--env-file-if-exists=.env";
const world = ["packages", "client", "schema", "app", "extensions"];

/**
 * Task → what it needs, the commands that it is, settings of theirs, and what is done one after the other in the idle time of the last
 * two: they wait for half of their time, and want the processors at once when they do not.
 */
const tasks = {
  demo: { needs: world, run: [["sandbox/demo.ts", ...args]] },
  test: {
    needs: world,
    env: isChosen ? {} : { PATHWAY_TESTS: "quick" },
    run: [[...(isChosen ? vitest : withoutDeaths), ...args]],
  },
  check: { needs: world, run: [gates, covered, [...withoutDeaths, "--project", "!app"], coverage] },
  // Runs that take too long for every change. `.ci/run` calls them.
  soak: {
    needs: world,
    env: {
      PATHWAY_GALLERY: "verdict",
      PATHWAY_MODEL_SEQUENCES: "4000",
      PATHWAY_FUZZ_RUNS: "8000",
      PATHWAY_STRANGERS: "every-call",
    },
    run: [
      // Three at a time: most have a world, and a fourth takes more than it brings (docs/decisions/0162).
      [...vitest, ...LONG_FILES, "--maxWorkers=3"],
      [...vitest, "--project", "processes"],
      // One after the other: each says within which time work has to move again.
      [...vitest, "--project", "chaos", "--no-file-parallelism", ...args],
    ],
    idle: [LONG_FORMS, drills],
  },
  // 100,000 forged messages; every route for every stranger; canaries of what is sealed; floods.
  attack: {
    needs: world,
    env: { PATHWAY_FUZZ_RUNS: "50000", PATHWAY_STRANGERS: "every-call" },
    run: [
      [...vitest, "--project", "app", ...ATTACKS_ON_PARTS],
      [...vitest, "--project", "flows", ...ATTACKS_ON_A_WORLD],
    ],
  },
  // Lists what the app installs, in CycloneDX, and under which licences (docs/security.md).
  sbom: { needs: ["packages"], run: [["tools/supply-chain/main.ts", ...args]] },
  gallery: {
    needs: world,
    env: { PATHWAY_GALLERY: "1" },
    run: [[...vitest, "--project", "browser", ...args]],
  },
  // The images of docs/listing, from the app's own pages.
  listing: {
    needs: world,
    env: { PATHWAY_LISTING: "1" },
    run: [[...vitest, "--project", "browser", "test/browser/listing-images.test.ts", ...args]],
  },
  coverage: { needs: world, run: [[...covered, ...args], coverage] },
  mutation: { needs: ["packages", "client"], run: [["tools/mutation/main.ts", ...args]] },
  gates: { needs: ["packages", "client"], run: [[...gates, ...args]] },
  lint: { needs: ["packages"], run: [[biome, "lint", ".", ...args]] },
  format: { needs: ["packages"], run: [[biome, "check", "--write", ".", ...args]] },
  typecheck: { needs: ["packages", "client"], run: typescript },
  build: { needs: ["packages", "client", "app", "extensions"], run: [] },
  start: {
    needs: ["packages", "client", "app"],
    // A process that keeps little of what it has done with (docs/decisions/0021).
    env: { MALLOC_ARENA_MAX: "1" },
    run: [
      [
        "--max-semi-space-size=4",
        ...workerFlags,
        "--env-file-if-exists=.env",
        "app/server.ts",
        ...args,
      ],
    ],
  },
  // Shopify's command line builds the extensions itself, and gives them the tunnel's address.
  dev: {
    needs: ["packages", "client", "app"],
    run: [["--env-file-if-exists=.env", "app/server.ts", ...args]],
  },
  deploy: { needs: ["packages"], run: [["tools/deploy.mjs", ...args]] },
  chaos: { needs: world, run: [["test/chaos/main.ts", ...args]] },
  // Loses a database and restores its dump into a new server, as docs/operations.md says.
  "restore-drill": {
    needs: world,
    run: [[...drills, "test/restore", ...args]],
  },
  // Runs compose.yaml with Docker, beside the sandbox.
  "compose-trial": {
    needs: ["packages", "schema", "extensions"],
    run: [["sandbox/compose-trial.ts", ...args]],
  },
  bench: { needs: world, run: [["bench/main.ts", ...args]] },
  service: { needs: ["packages"], run: [["sandbox/referral-service/main.ts", ...args]] },
  store: { needs: ["packages", "schema", "extensions"], run: [["sandbox/store/main.ts", ...args]] },
  keys: {
    needs: ["packages", "client"],
    run: [["--env-file-if-exists=.env", "app/keys.ts", ...args]],
  },
  affected: {
    needs: ["packages", "client"],
    run: [[ENV_FILE, "app/commands/affected.ts", ...args]],
  },
  audit: { needs: ["packages", "client"], run: [[ENV_FILE, "app/commands/audit.ts", ...args]] },
  documents: {
    needs: ["packages", "client"],
    run: [[ENV_FILE, "app/commands/documents.ts", ...args]],
  },
  redactions: {
    needs: ["packages", "client"],
    run: [[ENV_FILE, "app/commands/redactions.ts", ...args]],
  },
  // With words for it, such as `npm run migrate -- status`, it is Prisma's own command.
  migrate: {
    needs: ["packages", "client"],
    run: [
      args.length && args[0] !== "--help"
        ? [ENV_FILE, "node_modules/prisma/build/index.js", "migrate", ...args]
        : [ENV_FILE, "app/commands/migrate.ts", ...args],
    ],
  },
};

const chosen = tasks[task];
if (!chosen) fail(`Unknown task "${task}". There are: ${Object.keys(tasks).join(", ")}.`);
const help = asksForHelp(args) ? helpOf(task) : null;
if (help) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}
/** Nobody who asks how a command is called waits for a build. */
const isNeeded = (need) => !asksForHelp(args) || ["packages", "client"].includes(need);
try {
  await withSetupLock(root, async () => {
    for (const need of ["node", ...chosen.needs.filter(isNeeded)]) await needs[need]();
  });
} catch (error) {
  fail(error.message);
}
Object.assign(env, chosen.env);
let beside = null;
for (const [index, command] of chosen.run.entries()) {
  if (chosen.idle && index === chosen.run.length - 2) beside = eachInIdleTime(node, chosen.idle);
  const code = await foreground(node, command);
  if (code !== 0) process.exit(code);
}
const failed = await beside;
if (failed) process.exit(failed);
if (env.PATHWAY_TESTS === "quick")
  process.stderr.write(
    `${LONG_FILES.length} long files (tools/long-files.mjs) were left to \`npm run soak\`; by name they run at once.\n`,
  );

/** Node from the npm registry, for machines whose own is too old to run TypeScript. */
async function packagedNode() {
  const os = process.platform === "win32" ? "win" : process.platform;
  const folder = join(root, "tools/node");
  const binary = os === "win" ? "node.exe" : "bin/node";
  const path = join(folder, "node_modules", `node-${os}-${process.arch}`, binary);
  if (!existsSync(path))
    await step(`Node ${process.versions.node} is too old here: fetching Node 24 from npm`, () =>
      npm(["ci"], folder),
    );
  if (!existsSync(path))
    fail(`There is no packaged Node for ${os}-${process.arch}: install Node 22.18 or newer.`);
  return path;
}

function npm(npmArgs, cwd) {
  const cli = process.env.npm_execpath;
  const command = cli ? [node, [cli, ...npmArgs]] : ["npm", npmArgs];
  // The machine's own production or install settings must not decide what a checkout needs.
  return quietly(command[0], command[1], { NODE_ENV: "development", npm_config_omit: "" }, cwd);
}

/** Runs a command out of sight; rejects with the end of its output when it fails. */
function quietly(command, commandArgs, extraEnv = {}, cwd = root) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArgs, {
      cwd,
      env: { ...env, ...extraEnv },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const keep = (chunk) => {
      output = (output + chunk).slice(-8000);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`${output}\n"${command} ${commandArgs.join(" ")}" failed (${code}).`)),
    );
  });
}

/** Runs commands one after the other in idle time, and tells what each said once it has ended; resolves to the code of one that failed. */
async function eachInIdleTime(command, all) {
  for (const commandArgs of all) {
    const { code, output } = await inIdleTime(command, commandArgs);
    process.stderr.write(output);
    if (code !== 0) return code;
  }
  return 0;
}

/** Runs a command with the least priority and out of sight; resolves to its exit code and all that it said. Ends with this process. */
function inIdleTime(command, commandArgs) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArgs, {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    process.once("exit", () => child.kill());
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => (output += chunk));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs a command that tells of its own progress. */
function visibly(command, commandArgs) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArgs, { cwd: root, env, stdio: ["ignore", 2, 2] });
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`"${commandArgs.join(" ")}" failed (${code}).`)),
    );
  });
}

/** Runs a command in the person's sight and passes signals on; resolves to its exit code. */
function foreground(command, commandArgs) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArgs, { cwd: root, env, stdio: "inherit" });
    const pass = (signal) => child.kill(signal);
    // npm ends without a word to us when it is told to stop: our parent is then another.
    const parent = process.ppid;
    const orphaned = setInterval(() => process.ppid !== parent && pass("SIGTERM"), 500);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, pass);
    child.once("error", reject);
    child.once("close", (code) => {
      clearInterval(orphaned);
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, pass);
      resolve(code ?? 1);
    });
  });
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
