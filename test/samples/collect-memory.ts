import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { onTestFinished } from "vitest";

/** Has memory collected again and again until the test ends, as happens in any process that works. */
export function collectMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const timer = setInterval(collect, 20);
  onTestFinished(() => clearInterval(timer));
}
