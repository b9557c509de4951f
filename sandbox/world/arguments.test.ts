import { describe, expect, test } from "vitest";
import { readArguments } from "./arguments.ts";

describe("readArguments", () => {
  test("without arguments the demo stays, with no extra workers and the embedded database", () => {
    expect(readArguments([])).toEqual({
      mode: "stay",
      workers: 0,
      webs: 0,
      databaseUrl: undefined,
      directDatabaseUrl: undefined,
      quarantineMs: undefined,
      accounts: "new",
      mailWindowMs: 1000,
      releasePolicy: undefined,
      uninstalled: false,
      verbose: false,
    });
  });

  test("every argument is read", () => {
    const args = [
      "--headless",
      "--workers",
      "3",
      "--webs",
      "2",
      "--mail-window-ms",
      "0",
      "--quarantine-ms",
      "0",
      "--verbose",
      "--release-policy",
      "hold_all",
    ];
    const url = "postgresql://postgres@127.0.0.1:5432/pathway";
    expect(readArguments([...args, "--database-url", url])).toEqual({
      mode: "headless",
      workers: 3,
      webs: 2,
      databaseUrl: url,
      directDatabaseUrl: undefined,
      quarantineMs: 0,
      accounts: "new",
      mailWindowMs: 0,
      releasePolicy: "hold_all",
      uninstalled: false,
      verbose: true,
    });
  });

  test.each([
    [["--once", "--headless"], /exclude each other/],
    [["--workers", "many"], /--workers/],
    [["--workers", "-1"], /workers/],
    [["--database-url", "http://127.0.0.1/"], /--database-url/],
    [["--quarantine-ms", "1.5"], /--quarantine-ms/],
    [["--release-policy", "hold_some"], /--release-policy/],
    [["--uninstalled"], /goes with --headless/],
    [["--often"], /--often/],
    [["once"], /once/],
  ])("%j is refused in words", (args, words) => {
    expect(() => readArguments(args)).toThrow(words);
  });
});
