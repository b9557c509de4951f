import { describe, expect, test } from "vitest";
import { describeError } from "./logger.ts";

const SAID = "Ada Citizen, born 1990-01-02";

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
