import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listening } from "../../test/samples/listening.ts";
import { closeAfterLargeBody } from "./close-after-large-body.ts";

/** A server that refuses everything unread, and tells its end of each connection. */
async function start() {
  const sockets: Socket[] = [];
  const server = createServer((request, response) => {
    closeAfterLargeBody(request, response);
    response.writeHead(401, { "content-length": "0" }).end();
  });
  server.on("connection", (socket) => sockets.push(socket));
  return { port: await listening(server), sockets };
}

/** Sends a body as fast as it is taken. Resolves with all that was answered, once the connection has ended. */
async function post(port: number, bytes: number, header = `Content-Length: ${bytes}`) {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  // Whoever is cut off while sending may be told of it as an error.
  socket.on("error", (error: NodeJS.ErrnoException) =>
    expect(["EPIPE", "ECONNRESET"]).toContain(error.code),
  );
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);
  socket.write(Buffer.alloc(bytes, "x"));
  await new Promise((resolve) => socket.once("close", resolve));
  return answer;
}

test("the rest of a large body that was refused is not read, and its sender can read the answer", async () => {
  const { port, sockets } = await start();
  const bodies = [
    await post(port, 50_000_000),
    await post(port, 50_000_000, "Transfer-Encoding: chunked\r\n\r\n2faf080"),
  ];
  for (const answer of bodies) {
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    expect(answer.toLowerCase()).toContain("connection: close");
  }
  expect(sockets).toHaveLength(2);
  for (const { bytesRead } of sockets) expect(bytesRead).toBeLessThan(2_000_000);
});

test("nor does a connection stay that its sender leaves open", async () => {
  const { port, sockets } = await start();
  const body = "x".repeat(100_000);
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await once(socket, "data");
  await expect.poll(() => sockets[0]?.destroyed, { timeout: 10_000 }).toBe(true);
});

test("a connection goes on after a small body and after none", async () => {
  const { port, sockets } = await start();
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  for (const request of [
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n${"x".repeat(60_000)}`,
    "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx",
  ]) {
    socket.write(request);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
    expect(String(answer).toLowerCase()).not.toContain("connection: close");
  }
  expect(sockets).toHaveLength(1);
});
