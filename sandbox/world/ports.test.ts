import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { claimPort, freePort } from "./ports.ts";

test("a port that nobody uses is the one that was wanted", async () => {
  const wanted = await freePort();
  const said: string[] = [];
  expect(await claimPort("app", wanted, (line) => said.push(line))).toBe(wanted);
  expect(said).toEqual([]);
});

test("for a port that is taken there is another one, and a sentence about it", async () => {
  const wanted = await freePort();
  const squatter = createServer().listen(wanted, "127.0.0.1");
  await once(squatter, "listening");
  try {
    const said: string[] = [];
    const port = await claimPort("store", wanted, (line) => said.push(line));
    expect(port).not.toBe(wanted);
    expect(said).toEqual([
      `Port ${wanted} is taken by another program, so the store is at port ${port} this time.`,
    ]);
  } finally {
    squatter.close();
  }
});

test("a port is given away once, though nobody listens at it yet", async () => {
  const range = { from: 61_000, to: 61_040 };
  const given = await Promise.all(Array.from({ length: 20 }, () => freePort(range)));
  expect(new Set(given).size).toBe(given.length);
});
