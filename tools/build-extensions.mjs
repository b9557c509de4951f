// Bundles the UI extensions with Shopify's own command line, and has it check the theme extension, when their sources
// changed since the last time. Says nothing when there is nothing to do.
//
//   node tools/build-extensions.mjs [--force] [--config NAME] [--deployment]
//
// --config NAME takes the address from shopify.app.NAME.toml; --deployment fails while that is a placeholder.
//
// The command line is large, so it has its own lock in tools/shopify-cli and is fetched only when something is to be
// built. It needs no login and no network. Progress goes to standard error; exit 1 when a bundle is over the limit.
// Plain JavaScript without packages; runs on Node 20 too, where the command line itself gets Node 24 from tools/node.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { configFile, readConfig, strayAddresses } from "./shopify-config.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const EXTENSIONS = join(ROOT, "extensions");
const CLI = join(ROOT, "tools/shopify-cli");
const LIMIT_BYTES = 20 * 1024;
/** Packages whose code ends up in the bundles. */
const BUNDLED = ["@shopify/ui-extensions", "preact", "@preact/signals", "@preact/signals-core"];

const say = (line) => process.stderr.write(`${line}\n`);
const hashOf = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");

function fail(line) {
  say(line);
  process.exit(1);
}

function extensionsOfType(type) {
  const declared = new RegExp(`^type = "${type}"$`, "m");
  return readdirSync(EXTENSIONS).filter((name) => {
    const toml = join(EXTENSIONS, name, "shopify.extension.toml");
    return existsSync(toml) && declared.test(readFileSync(toml, "utf8"));
  });
}

const uiExtensions = () => extensionsOfType("ui_extension");
/** They have no bundle; Shopify's own theme check reads them. */
const themeExtensions = () => extensionsOfType("theme");

/** Where the bundles call the app: PATHWAY_APP_URL, else application_url of the configuration; that alone when deployed. */
function appOrigin() {
  const file = configFile(option("--config"));
  const { address, faults } = readConfig(join(ROOT, file));
  faults.push(...strayAddresses(ROOT, option("--config")));
  if (process.env.PATHWAY_APP_URL)
    faults.push("PATHWAY_APP_URL is set, which is for this machine. Unset it.");
  if (process.argv.includes("--deployment") && faults.length > 0)
    fail(`${file} cannot be deployed:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
  const url = process.env.PATHWAY_APP_URL ?? address;
  if (!url || !URL.canParse(url)) fail(`No usable application_url in ${file}: ${url}`);
  return new URL(url).origin;
}

function option(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** Extensions have no setting for the app's address, so it becomes a module. */
function writeAppUrl(origin) {
  const path = join(EXTENSIONS, "shared/app-url.ts");
  const source = `// Written by tools/build-extensions.mjs from PATHWAY_APP_URL or shopify.app.toml: change it there.
import { developmentUrl } from "./development-url.ts";

/** Origin of the app that the extensions call, without a trailing slash. */
export const appUrl = developmentUrl() ?? ${JSON.stringify(origin)};
`;
  if (!existsSync(path) || readFileSync(path, "utf8") !== source) writeFileSync(path, source);
}

function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "dist" ? [] : sourceFiles(path);
    const made = ["manifest.json", "shopify.d.ts"].includes(entry.name);
    return made || /\.(test\.tsx?|md)$/.test(entry.name) ? [] : [path];
  });
}

/** Changes whenever anything that goes into the bundles changes. */
function stampOf() {
  const hash = createHash("sha256");
  const paths = [
    ...sourceFiles(EXTENSIONS).sort(),
    join(ROOT, "shopify.app.toml"),
    join(ROOT, "tsconfig.json"),
    join(CLI, "package-lock.json"),
    ...BUNDLED.map((name) => join(ROOT, "node_modules", name, "package.json")),
  ];
  for (const path of paths) hash.update(`${relative(ROOT, path)}\0${hashOf(path)}\0`);
  return hash.digest("hex");
}

/** `npm ci` in a folder with a lock of its own, by the npm that runs us where there is one. */
function install(folder, node = process.execPath) {
  const npm = process.env.npm_execpath;
  const args = ["ci", "--no-audit", "--no-fund"];
  const options = {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    env: { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) },
  };
  const done = npm
    ? spawnSync(node, [npm, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
  if (done.status !== 0) fail(`npm ci failed in ${relative(ROOT, folder)}`);
}

/** A Node that the command line accepts (22.12 or newer). */
function suitableNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return process.execPath;
  const os = process.platform === "win32" ? "win" : process.platform;
  const folder = join(ROOT, "tools/node");
  const file = os === "win" ? "node.exe" : "node";
  const node = join(folder, "node_modules", `node-${os}-${process.arch}`, "bin", file);
  if (!existsSync(node)) install(folder);
  if (!existsSync(node))
    fail("Shopify's command line needs Node 22.12 or newer: install it and try again.");
  return node;
}

function commandLine(node) {
  const stamp = join(CLI, "node_modules/.installed");
  const want = hashOf(join(CLI, "package-lock.json")) + process.platform + process.arch;
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== want) {
    say("extensions: fetching Shopify's command line (once, about 50 MB)");
    install(CLI, node);
    writeFileSync(stamp, want);
  }
  return join(CLI, "node_modules/@shopify/cli/bin/run.js");
}

/** Runs Shopify's command line with a settings folder of its own, apart from a developer's login and choices. */
function shopify(args, complaint) {
  const node = suitableNode();
  const settings = join(ROOT, ".cache/shopify-cli");
  mkdirSync(settings, { recursive: true });
  const done = spawnSync(node, [commandLine(node), ...args], {
    cwd: ROOT,
    stdio: ["ignore", 2, 2],
    env: {
      ...process.env,
      CI: "1",
      FORCE_COLOR: "0",
      SHOPIFY_CLI_NO_ANALYTICS: "1",
      XDG_CONFIG_HOME: settings,
      XDG_CACHE_HOME: settings,
    },
  });
  if (done.status !== 0) fail(complaint);
}

function build() {
  const args = ["app", "build", "--path", ROOT, "--skip-dependencies-installation"];
  shopify(args, "extensions: the build failed");
  for (const name of themeExtensions()) {
    const path = join(EXTENSIONS, name);
    const rules = ["-C", "theme-check:theme-app-extension", "--fail-level", "suggestion"];
    shopify(
      ["theme", "check", "--path", path, ...rules],
      `extensions: ${name} breaks a theme rule`,
    );
  }
}

const bundleOf = (name) => join(EXTENSIONS, name, "dist", `${name}.js`);
const stampPath = (name) => join(EXTENSIONS, name, "dist/.stamp");

const names = uiExtensions();
writeAppUrl(appOrigin());
const stamp = stampOf();
const isFresh = (name) =>
  existsSync(bundleOf(name)) &&
  existsSync(stampPath(name)) &&
  readFileSync(stampPath(name), "utf8") === stamp;

const isBuild = process.argv.includes("--force") || !names.every(isFresh);
if (isBuild) {
  say(`extensions: bundling ${names.join(", ")}`);
  for (const name of names) rmSync(stampPath(name), { force: true });
  build();
  for (const name of names) {
    if (!existsSync(bundleOf(name))) fail(`extensions: ${name} left no bundle`);
    writeFileSync(stampPath(name), stamp);
  }
}

let over = false;
for (const name of names) {
  const bytes = gzipSync(readFileSync(bundleOf(name)), { level: 9 }).length;
  const tooBig = bytes > LIMIT_BYTES;
  over ||= tooBig;
  const size = `extensions: ${name} ${(bytes / 1024).toFixed(1)} KB gzip`;
  if (isBuild || tooBig) say(`${size}${tooBig ? " (over the limit of 20 KB)" : ""}`);
}
if (over) process.exit(1);
