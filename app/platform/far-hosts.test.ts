import { once } from "node:events";
import { request } from "node:http";
import {
  connect,
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from "node:net";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { waitForFarHosts } from "./far-hosts.ts";

/** Listens, and on a word takes no connection for as long as a packet that was lost keeps one waiting. */
const BUSY_HOST = `
  const { parentPort } = require("node:worker_threads");
  const answer = "HTTP/1.1 204 No Content\\r\\nconnection: close\\r\\n\\r\\n";
  const server = require("node:net").createServer((socket) => socket.once("data", () => socket.end(answer)));
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => parentPort.postMessage(server.address().port));
  parentPort.once("message", () => {
    parentPort.postMessage("busy");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  });`;

/** Port of a host that takes its time, by filling the queue of a Linux machine: what does not fit into it is sent again. */
async function startFarHost(): Promise<number> {
  const host = new Worker(BUSY_HOST, { eval: true });
  onTestFinished(async () => void (await host.terminate()));
  const [port] = (await once(host, "message")) as [number];
  host.postMessage("be busy");
  await once(host, "message");
  for (let n = 0; n < 2; n++) {
    const other = connect(port, "127.0.0.1");
    onTestFinished(() => void other.destroy());
    await once(other, "connect");
  }
  return port;
}

test.runIf(process.platform === "linux")(
  "a host that takes its time is reached, though its other address leads nowhere",
  async () => {
    const usual = getDefaultAutoSelectFamilyAttemptTimeout();
    onTestFinished(() => setDefaultAutoSelectFamilyAttemptTimeout(usual));
    waitForFarHosts();
    const port = await startFarHost();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request({
        ...{ host: "far.example", port, agent: false },
        lookup: (_, _options, done) =>
          done(null, [
            { address: "127.0.0.1", family: 4 },
            { address: "::1", family: 6 },
          ]),
      })
        .on("response", (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(204);
  },
);
