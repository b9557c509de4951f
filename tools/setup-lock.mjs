/** Lets one process of this checkout at a time install and build; the others wait and then find it done. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * @param {string} root the checkout
 * @param {() => Promise<void>} work
 */
export async function withSetupLock(root, work) {
  const path = join(root, ".cache", "setup.lock");
  mkdirSync(join(root, ".cache"), { recursive: true });
  for (let told = false; !take(path); told = true) {
    if (!told) process.stderr.write("· Waiting for another command that is setting up\n");
    await delay(300);
  }
  const release = () => rmSync(path, { force: true });
  process.once("exit", release);
  try {
    await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (holderIsAlive(path)) return false;
    // Its holder was killed. Should two find that out at once, one of them waits for the other.
    rmSync(path, { force: true });
    return take(path);
  }
}

function holderIsAlive(path) {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    // Empty: it is being written at this moment.
    if (pid === 0) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
