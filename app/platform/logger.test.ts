import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { describeError } from "./logger.ts";

const SAID = "Ada Citizen, born 1990-01-02";

test("a log that cannot be written, because its disk is full, ends no process", () => {
  const logger = fileURLToPath(new URL("./logger.ts", import.meta.url));
  const full = openSync("/dev/full", "w");
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `const { createLogger } = await import(${JSON.stringify(logger)});
       const { toleratedErrors } = await import(new URL("./counters.ts", ${JSON.stringify(`file://${logger}`)}));
       const logger = createLogger("info");
       for (let line = 0; line < 100_000; line++) logger.info({ line }, "x".repeat(100));
       console.log(process.memoryUsage().rss < 300e6, toleratedErrors.values().map(({ labels }) => labels));`,
    ],
    { encoding: "utf8", stdio: ["ignore", "pipe", full], timeout: 20_000 },
  );
  closeSync(full);
  expect(status).toBe(0);
  expect(stdout).toContain("true");
  expect(stdout).toContain("at: 'log', code: 'ENOSPC'");
});

describe("what is written down about a failure", () => {
  test("is its name, code and places, never its message", () => {
    class Refused extends Error {
      override readonly name = "Refused";
      readonly code = "ECONNREFUSED";
    }
    const written = describeError(new Refused(SAID, { cause: new TypeError(SAID) }));
    expect(written).toMatchObject({
      type: "Refused",
      code: "ECONNREFUSED",
      stack: expect.stringMatching(/^ +at .*logger\.test\.ts/),
      cause: { type: "TypeError" },
    });
    expect(JSON.stringify(written)).not.toContain("Ada");
  });

  test.each([
    "refused:\n    at home with Ada Citizen",
    "refused:\n    at Ada Citizen (1990:01:02)",
    "\n    at Ada (file:///1:2)",
  ])("has no line of the message that looks like a place: %j", (message) => {
    const written = describeError(new Error(message, { cause: new Error(message) }));
    expect(written).toMatchObject({ stack: expect.stringMatching(/logger\.test\.ts/) });
    expect(JSON.stringify(written)).not.toContain("Ada");
  });

  test("is the code and the places of what is an error in all but its class", () => {
    const { stack } = new Error(SAID);
    const written = describeError({
      code: "57P01",
      message: SAID,
      stack,
      name: SAID,
      detail: SAID,
    });
    expect(written).toEqual({
      type: "object",
      code: "57P01",
      stack: expect.stringMatching(/^ +at .*logger\.test\.ts/),
    });
  });

  test.each([SAID, { code: SAID, stack: SAID }, { code: { name: SAID } }, null, undefined, 7])(
    "tells nothing of what is no error: %#",
    (thrown) => {
      expect(JSON.stringify(describeError(thrown))).not.toContain("Ada");
    },
  );
});
