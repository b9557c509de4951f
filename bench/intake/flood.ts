/** A flood, in a thread of its own: so many senders, each of whom waits for an answer and then sends the next request. */
import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { Flood } from "./floods.ts";

const { port, flood, senders }: { port: number; flood: Flood; senders: number } = workerData;
const { path, bytes = 0, isSigned = false, bearer } = flood;
const head = [
  `${bytes > 0 ? "POST" : "GET"} ${path} HTTP/1.1`,
  "Host: 127.0.0.1",
  ...(isSigned ? [`X-Shopify-Hmac-Sha256: ${"A".repeat(43)}=`] : []),
  ...(bearer ? [`Authorization: Bearer ${bearer}`] : []),
  ...(bytes > 0 ? [`Content-Length: ${bytes}`] : []),
].join("\r\n");
const request = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.alloc(bytes, "x")]);

let answers = 0;
let isOver = false;

function begin(): void {
  if (isOver) return;
  const socket = connect(port, "127.0.0.1");
  const next = () => {
    if (!isOver) socket.write(request);
  };
  socket.on("connect", next);
  socket.on("data", (chunk) => {
    // One answer begins with one status line; a page may come in pieces.
    if (!chunk.subarray(0, 9).equals(STATUS)) return;
    answers++;
    setImmediate(next);
  });
  // A sender that is cut off comes again.
  socket.on("error", () => {}).on("close", () => setTimeout(begin, 5));
}
const STATUS = Buffer.from("HTTP/1.1 ");

for (let n = 0; n < senders; n++) begin();
parentPort?.on("message", () => {
  isOver = true;
  parentPort?.postMessage(answers);
});
