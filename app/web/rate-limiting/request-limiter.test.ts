import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listening } from "../../../test/samples/listening.ts";
import { createLogger } from "../../platform/logger.ts";
import { RATES } from "../limits.ts";
import { readTrustedProxies } from "./client-address.ts";
import { createRequestLimiter } from "./request-limiter.ts";

/** A server behind the limiter. `flood` asks it so often, and tells how often it answered what. */
async function start() {
  const limit = createRequestLimiter({
    decodeSessionToken: () => Promise.reject(new Error("no token")),
    proxyCall: () => null,
    knowsToken: () => Promise.resolve(false),
    trustedProxies: readTrustedProxies([]),
    logger: createLogger("silent"),
    refusals: { note: () => {} },
  });
  let failures = 0;
  const server = createServer((request, response) => {
    limit(request, response, () => response.writeHead(200).end()).catch(() => {
      failures++;
      response.writeHead(500).end();
    });
  });
  const port = await listening(server);
  /** One after another, for too many at one time are refused as well. */
  async function flood(
    target: string,
    times: number,
    method = "GET",
  ): Promise<Record<string, number>> {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    const counts: Record<string, number> = {};
    for (let n = 0; n < times; n++) {
      socket.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const [answer] = await once(socket, "data");
      const [, status = ""] = /^HTTP\/1\.1 (\d+)/.exec(String(answer)) ?? [];
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }
  return { flood, failures: () => failures };
}

const { points } = RATES.address;

test.each(["//", "///", "//:", "http://", "//x/assets/y", "//x/__manifest", "*"])(
  "counts %j, which is no file of ours, for whoever asks",
  async (target) => {
    const { flood, failures } = await start();
    expect(await flood(target, points + 50)).toEqual({ 200: points, 429: 50 });
    expect(failures()).toBe(0);
  },
);

test.each([
  ["GET", "/x/../assets/y"],
  ["GET", "/x/../__manifest"],
  ["OPTIONS", "/t/x"],
])("counts %s %s, which a page answers, for whoever asks", async (method, target) => {
  const { flood } = await start();
  expect(await flood(target, points + 50, method)).toEqual({ 200: points, 429: 50 });
});

test.each([
  ["GET", "/assets/y.js"],
  ["GET", "/__manifest?p=/app"],
  ["OPTIONS", "/api/customer/requests"],
])("lets %s %s pass more often, which costs next to nothing", async (method, target) => {
  const { flood } = await start();
  expect(await flood(target, points + 50, method)).toEqual({ 200: points + 50 });
});
