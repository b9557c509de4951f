import { createServer, request as post } from "node:http";
import { createReadableStreamFromReadable } from "@remix-run/node";
import express from "express";
import { expect, test } from "vitest";
import { listening } from "../test/samples/listening.ts";
import { limitBodies } from "./body-limit.ts";
import { closeAfterLargeBody } from "./web/close-after-large-body.ts";
import { MAX_BODY_BYTES } from "./web/limits.ts";

const MOST = MAX_BODY_BYTES.form;

/** A server that reads bodies as Remix does, and tells how much it has read of each. */
async function start() {
  const read: number[] = [];
  const app = express();
  app.use((request, response, next) => {
    closeAfterLargeBody(request, response);
    next();
  });
  app.use(limitBodies);
  app.all("*", async (request, response) => {
    const at = read.push(0) - 1;
    try {
      const reader = createReadableStreamFromReadable(request).getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read())
        read[at] = (read[at] ?? 0) + piece.value.length;
      if (!response.headersSent) response.send(String(read[at]));
    } catch {
      // The sender was cut off.
    }
  });
  const server = createServer(app);
  return { url: `http://127.0.0.1:${await listening(server)}`, read };
}

const send = async (url: string, bytes: number) => {
  const answer = await fetch(url, { method: "POST", body: "x".repeat(bytes) });
  return [answer.status, await answer.text()];
};

/** In pieces, without saying how many; what was answered, or that the connection ended. */
function sendPieces(url: string, pieces: number): Promise<number | string> {
  return new Promise((resolve) => {
    const sending = post(url, { method: "POST" }, (answer) => resolve(answer.statusCode ?? 0));
    sending.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"));
    for (let n = 0; n < pieces; n++) sending.write("x".repeat(1_024));
    sending.end();
  });
}

test("a form is read; more than a form is refused before anything of it is read", async () => {
  const { url, read } = await start();
  expect(await send(`${url}/t/any`, MOST)).toEqual([200, String(MOST)]);
  expect(await send(`${url}/t/any`, MOST + 1)).toEqual([413, "This is more than a form."]);
  expect(await send(url, 20_000_000)).toEqual([413, "This is more than a form."]);
  expect(read).toEqual([MOST]);
});

test("so is one that does not say how long it is, once it is too long", async () => {
  const { url, read } = await start();
  expect(await sendPieces(url, 256)).toBe(200);
  expect(read).toEqual([MOST]);
  expect([413, "ECONNRESET", "EPIPE"]).toContain(await sendPieces(url, 20_000));
  expect(read[1]).toBeLessThan(2 * MOST);
});

test("reads an upload as far as uploads go", async () => {
  const { url } = await start();
  const path = `${url}/app/mappings/import`;
  expect(await send(path, MOST + 1)).toEqual([200, String(MOST + 1)]);
  expect(await send(`${path}.data?_routes=import`, MOST + 1)).toEqual([200, String(MOST + 1)]);
  expect((await send(`${path}ant`, MOST + 1))[0]).toBe(413);
  expect((await send(path, MAX_BODY_BYTES.upload + 1))[0]).toBe(413);
  expect([413, "ECONNRESET", "EPIPE"]).toContain(await sendPieces(path, 20_000));
});
