import { createServer, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { listening } from "../../test/samples/listening.ts";
import { addHeaders } from "./response-headers.ts";

async function answered(https: boolean, answer: (response: ServerResponse) => void) {
  const port = await listening(
    createServer((_, response) => {
      addHeaders(response, { https });
      answer(response);
    }),
  );
  return (await fetch(`http://127.0.0.1:${port}`)).headers;
}

test.each<[string, (response: ServerResponse) => void]>([
  ["at once", (response) => void response.end("x")],
  ["with a status", (response) => void response.writeHead(404).end()],
  ["with headers of its own", (response) => void response.writeHead(200, { "x-own": "1" }).end()],
  [
    "with headers set before",
    (response) => void response.setHeader("x-set", "1").writeHead(200, { "x-own": "1" }).end(),
  ],
  [
    "by Express, with another class",
    (response) => {
      Object.setPrototypeOf(response, Object.create(ServerResponse.prototype));
      response.end("x");
    },
  ],
  ["with a reason", (response) => void response.writeHead(500, "Broken", { "x-own": "1" }).end()],
])("adds what every answer carries to one that is written %s", async (_, answer) => {
  const headers = await answered(true, answer);
  expect(headers.get("cache-control")).toBe("private, no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
});

test("leaves what an answer says itself, however it says it", async () => {
  const own = await answered(
    false,
    (response) => void response.writeHead(200, { "Cache-Control": "public, max-age=60" }).end(),
  );
  expect(own.get("cache-control")).toBe("public, max-age=60");
  const set = await answered(false, (response) => {
    response.setHeader("Content-Security-Policy", "default-src 'self'");
    response.end();
  });
  expect(set.get("content-security-policy")).toBe("default-src 'self'");
});

test("promises https only where browsers come by it", async () => {
  const headers = await answered(false, (response) => void response.end());
  expect(headers.has("strict-transport-security")).toBe(false);
});
