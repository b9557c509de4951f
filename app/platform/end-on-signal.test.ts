import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const MODULE = fileURLToPath(new URL("./end-on-signal.ts", import.meta.url));

test.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
  ["SIGHUP", 129],
] as const)("%s ends a start at once, with %i, until that is taken back", async (signal, code) => {
  const program = `
    const { endOnSignal, STOP_SIGNALS } = await import(${JSON.stringify(MODULE)});
    const endNoMore = endOnSignal();
    if (process.argv[1] === "later") {
      endNoMore();
      for (const one of STOP_SIGNALS) process.on(one, () => process.exit(7));
    }
    setInterval(() => {}, 1000);
    console.log("there");`;
  for (const [when, expected] of [
    ["now", code],
    ["later", 7],
  ] as const) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", program, when]);
    await once(child.stdout, "data");
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([expected, null]);
  }
});
