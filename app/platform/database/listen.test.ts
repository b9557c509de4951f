import { createServer } from "node:net";
import { expect, test } from "vitest";
import { keptLog } from "../../../test/samples/kept-log.ts";
import { loopFailures } from "../counters.ts";
import { listen } from "./listen.ts";

/** A port of this machine at which nothing listens. */
const closedPort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

test("counts each try to hear a database that is away, and tells it once", async () => {
  const { logger, lines } = keptLog("warn");
  const listener = listen({
    databaseUrl: `postgresql://nobody@127.0.0.1:${await closedPort()}/nothing`,
    ...{ channel: "night", logger, onMessage() {}, onListening() {} },
  });
  const tries = () =>
    loopFailures.values().find(({ labels }) => labels.loop === "listen-night")?.value ?? 0;
  await expect.poll(tries, { timeout: 10_000 }).toBeGreaterThan(2);
  await listener.stop();
  expect(lines.map(({ msg }) => msg)).toEqual(["notifications cannot be heard; polling meanwhile"]);
});
