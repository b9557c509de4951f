import { createServer } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listening } from "../../test/samples/listening.ts";
import { keepConnections } from "./keep-connections.ts";

/** A server that keeps `most` connections, and a way to ask it over one of its own each time. */
async function start(most: number) {
  const server = createServer((_, response) => {
    closeWhenMany(response);
    response.end("x");
  });
  const closeWhenMany = keepConnections(server, { idleMs: 130_000, most });
  const port = await listening(server);
  return () =>
    new Promise<{ head: string; end: () => Promise<void> }>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.once("error", reject).once("data", (bytes) => {
        const closed = new Promise<void>((done) => socket.once("close", () => done()));
        const end = () => {
          socket.end();
          return closed;
        };
        resolve({ head: bytes.toString("latin1").toLowerCase(), end });
      });
      socket.write("GET / HTTP/1.1\r\nhost: pathway.test\r\n\r\n");
    });
}

test("a connection outlives the idle time of a proxy that would send its next request on it", async () => {
  const ask = await start(10);
  expect((await ask()).head).toContain("keep-alive: timeout=130");
});

test("of too many connections each ends with its answer, until there are fewer", async () => {
  const ask = await start(2);
  const first = await ask();
  expect((await ask()).head).toContain("connection: keep-alive");
  const third = await ask();
  expect(third.head).toContain("connection: close");
  await Promise.all([first.end(), third.end()]);
  expect((await ask()).head).toContain("connection: keep-alive");
});
