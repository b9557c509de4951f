/** Tells whether something made from files is still what those files would make. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * @param {string} root the checkout
 * @param {{name: string, inputs: string[], output: string}} stamp paths are relative to the checkout;
 *   folders count with all that is in them, generated files and tests apart
 */
export function isFresh(root, stamp) {
  const path = stampPath(root, stamp);
  return (
    existsSync(join(root, stamp.output)) &&
    existsSync(path) &&
    readFileSync(path, "utf8") === digest(root, stamp.inputs)
  );
}

export function markFresh(root, stamp) {
  const path = stampPath(root, stamp);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, digest(root, stamp.inputs));
}

// Inside the output, so that deleting the output deletes the claim.
const stampPath = (root, stamp) => join(root, stamp.output, `.made-from-${stamp.name}`);

function digest(root, inputs) {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  for (const file of inputs.flatMap((input) => filesIn(root, input)))
    hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function filesIn(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .filter((name) => name !== "generated" && !name.startsWith(".") && !/\.test\.tsx?$/.test(name))
    .flatMap((name) => filesIn(root, `${path}/${name}`));
}
