/**
 * The load generator, a thread of its own: so many sockets, each with one request under way, every request with an
 * event id of its own. It writes prepared bytes and reads status lines, so that it takes little of the machine.
 * Without a rate each answer brings the next request; with one, requests are due at fixed moments, and one that has to
 * wait for a socket has waited from the moment it was due.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

export interface LoadOrder {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: Uint8Array;
  connections: number;
  durationMs: number;
  /** Requests that are due each second, whatever becomes of those before. */
  perSecond?: number;
  /** Makes event ids unique across runs. */
  run: string;
}

export interface LoadReport {
  ok: number;
  failed: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

const order: LoadOrder = workerData;
const body = Buffer.from(order.body);
const head = [
  `POST ${order.path} HTTP/1.1`,
  "Host: 127.0.0.1",
  ...Object.entries(order.headers).map(([name, value]) => `${name}: ${value}`),
  `Content-Length: ${body.length}`,
].join("\r\n");

let sent = 0;
let failed = 0;
const latenciesMs: number[] = [];

const startedAt = performance.now();
const endsAt = startedAt + order.durationMs;
const sockets = Array.from({ length: order.connections }, () => connect(order.port, "127.0.0.1"));
await Promise.all(sockets.map(work));
const seconds = (performance.now() - startedAt) / 1000;
latenciesMs.sort((a, b) => a - b);
const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0;
const report: LoadReport = {
  ok: latenciesMs.length,
  failed,
  seconds,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  maxMs: latenciesMs.at(-1) ?? 0,
};
parentPort?.postMessage(report);

async function work(socket: Socket): Promise<void> {
  socket.setNoDelay(true);
  await once(socket, "connect");
  await new Promise<void>((resolve, reject) => {
    let beganAt = 0;
    let answer = "";
    const next = () => {
      const now = performance.now();
      const dueAt = order.perSecond ? startedAt + (sent * 1000) / order.perSecond : now;
      if (dueAt >= endsAt) {
        socket.end();
        resolve();
        return;
      }
      const id = `${order.run}-${++sent}`;
      if (dueAt > now) setTimeout(send, dueAt - now, id, dueAt);
      else send(id, dueAt);
    };
    const send = (id: string, dueAt: number) => {
      const ids = `X-Shopify-Event-Id: ${id}\r\nX-Shopify-Webhook-Id: ${id}\r\n\r\n`;
      beganAt = dueAt;
      socket.cork();
      socket.write(`${head}\r\n${ids}`, "latin1");
      socket.write(body);
      socket.uncork();
    };
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
      // Both programs answer without a body.
      if (!answer.endsWith("\r\n\r\n")) return;
      if (answer.startsWith("HTTP/1.1 200")) latenciesMs.push(performance.now() - beganAt);
      else failed++;
      answer = "";
      next();
    });
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the server hung up")));
    next();
  });
}
