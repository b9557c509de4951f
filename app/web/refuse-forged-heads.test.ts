import { request as ask, createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import express, { type NextFunction, type Request, type Response } from "express";
import { expect, onTestFinished, test } from "vitest";
import { refuseForgedHeads } from "./refuse-forged-heads.ts";

/** A server that answers with the path that a page would be chosen by, as Remix puts its address together. */
async function start(): Promise<number> {
  const app = express();
  app.set("trust proxy", true);
  app.use(refuseForgedHeads);
  app.all("*", (request, response) => {
    const address = `${request.protocol}://${request.hostname}${request.originalUrl}`;
    response.send(new URL(address).pathname);
  });
  app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
    response.status(500).send(error.name);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function send(
  port: number,
  { path = "/__manifest", method = "GET", headers = {} },
): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const asking = ask({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      answer.on("end", () => resolve([answer.statusCode ?? 0, text]));
    });
    asking.on("error", reject).end();
  });
}

const REFUSED = [400, "This request has no address that can be read."];

test.each([
  "h/t/shop.token?",
  "h?",
  "h#",
  "h\\t",
  "somebody@h",
  "a b",
  "h:80/t",
  "h:x",
  "a.example, h/t/x?",
  "%",
])("a host %j writes no other path into an address", async (host) => {
  const port = await start();
  expect(await send(port, { headers: { "x-forwarded-host": host } })).toEqual(REFUSED);
  expect(await send(port, { headers: { host } })).toEqual(REFUSED);
});

test.each(["x y", "javascript", "https://h/t/x?", "http:"])(
  "a protocol %j is none of ours",
  async (proto) => {
    const port = await start();
    expect(await send(port, { headers: { "x-forwarded-proto": proto } })).toEqual(REFUSED);
  },
);

test.each([
  { host: "app.example" },
  { host: "APP.example.:8443" },
  { host: "my_app-1.internal" },
  { host: "127.0.0.1:3000" },
  { host: "[::1]:3000" },
  { "x-forwarded-host": "app.example, 10.0.0.1:3000", "x-forwarded-proto": "https, http" },
  { "x-forwarded-host": "app.example,cdn.example", "x-forwarded-proto": "https,http" },
  { "x-forwarded-host": "", "x-forwarded-proto": "" },
])("what proxies write passes: %j", async (headers) => {
  expect(await send(await start(), { headers })).toEqual([200, "/__manifest"]);
});

test("an address that nobody can read is the asker's fault, not ours", async () => {
  const port = await start();
  for (const path of ["/%ff", "/t/%", "/a%zz"])
    expect(await send(port, { path }), path).toEqual(REFUSED);
  expect(await send(port, { path: "/a%20b?x=%ff" })).toEqual([200, "/a%20b"]);
});

test("a whole address in the place of a path is refused", async () => {
  const port = await start();
  const socket = connect(port, "127.0.0.1");
  socket.end("GET http://h/t/x HTTP/1.1\r\nhost: app.example\r\nconnection: close\r\n\r\n");
  const pieces = await socket.setEncoding("utf8").toArray();
  expect(pieces.join("")).toMatch(/^HTTP\/1\.1 400 /);
});

test("a method that no page can be asked with is refused", async () => {
  const port = await start();
  const refused = [405, "This method is not known here."];
  expect(await send(port, { method: "TRACE" })).toEqual(refused);
  for (const method of ["HEAD", "OPTIONS", "PUT"])
    expect((await send(port, { method }))[0], method).toBe(200);
});
