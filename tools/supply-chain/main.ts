/**
 * `npm run sbom` lists the licences of what the running app consists of; `npm run sbom -- FILE` also writes the software bill
 * of materials of it in CycloneDX, by npm's own command. Fails on a licence that nobody has looked at.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { byLicence, unknownLicences } from "./licences.ts";
import { lockedPackages } from "./lock.ts";

const packages = lockedPackages();
for (const [licence, names] of byLicence(packages)) console.log(`${licence}: ${names.join(", ")}`);

const [file] = process.argv.slice(2);
if (file) {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status, stdout, stderr } = spawnSync(
    npm,
    ["sbom", "--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only"],
    { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  writeFileSync(file, stdout);
  console.log(`Bill of materials: ${file}`);
}

const unknown = unknownLicences(packages);
if (unknown.length > 0) {
  console.error(`Look at these licences (tools/supply-chain/licences.ts):\n${unknown.join("\n")}`);
  process.exitCode = 1;
}
