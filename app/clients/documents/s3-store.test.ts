import { createServer, type RequestListener } from "node:http";
import { expect, test } from "vitest";
import { collectMemory } from "../../../test/samples/collect-memory.ts";
import { listening } from "../../../test/samples/listening.ts";
import { describeError } from "../../platform/logger.ts";
import { createS3Store } from "./s3-store.ts";

const NAME = "00000000-0000-4000-8000-000000000001";

/** A store whose other side behaves like this, until the test ends. */
async function storeAt(behaviour: RequestListener, timeoutMs?: number) {
  const server = createServer((request, response) => {
    request.resume().once("end", () => behaviour(request, response));
  });
  const endpoint = `http://127.0.0.1:${await listening(server)}`;
  const credentials = { accessKeyId: "key", secretAccessKey: "secret" };
  return createS3Store(
    { endpoint, bucket: "documents", region: "ap-southeast-2", ...credentials },
    timeoutMs,
  );
}

test.each<[string, RequestListener]>([
  ["never answers", () => {}],
  ["stops in the middle", (_, response) => response.writeHead(200).write("half")],
])(
  "a store that %s is given up, also when memory was collected meanwhile",
  async (_, behaviour) => {
    const store = await storeAt(behaviour, 300);
    collectMemory();
    const unreachable = { code: "document_store_unreachable" };
    await expect(store.get("one.myshopify.com", NAME)).rejects.toMatchObject(unreachable);
    await expect(store.put("one.myshopify.com", NAME, Buffer.from("sealed"))).rejects.toMatchObject(
      unreachable,
    );
  },
  // A store that is never given up takes longer, and a machine with other work is slow.
  20_000,
);

test("a store that sends elsewhere is followed nowhere, and its own code is told", async () => {
  let calls = 0;
  const store = await storeAt((_, response) => {
    calls++;
    const headers = { "Content-Type": "application/xml", Location: "/elsewhere" };
    response.writeHead(301, headers).end("<Error><Code>PermanentRedirect</Code></Error>");
  });
  for (const ask of [
    () => store.get("one.myshopify.com", NAME),
    () => store.put("one.myshopify.com", NAME, Buffer.from("sealed")),
  ]) {
    const error = await ask().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: "document_store_refused" });
    expect(describeError(error)).toMatchObject({ cause: { code: "PermanentRedirect" } });
  }
  expect(calls).toBe(2);
});

test("a connection that the store has closed meanwhile keeps nobody from a document", async () => {
  const used = new WeakSet<object>();
  const asked: string[] = [];
  const store = await storeAt(({ method = "", socket }, response) => {
    if (used.has(socket)) return void socket.resetAndDestroy();
    used.add(socket);
    asked.push(method);
    response.writeHead(200, { etag: "1" }).end("sealed");
  });
  const { put, get } = store;
  await put("one.myshopify.com", NAME, Buffer.from("sealed"));
  expect(String(await get("one.myshopify.com", NAME))).toBe("sealed");
  await put("one.myshopify.com", NAME, Buffer.from("sealed"));
  expect(asked).toEqual(["PUT", "GET", "PUT"]);
});

test("a store that breaks on its second connection as well is asked no third time", async () => {
  let calls = 0;
  const store = await storeAt(({ socket }) => {
    calls++;
    socket.resetAndDestroy();
  });
  const unreachable = { code: "document_store_unreachable" };
  await expect(store.get("one.myshopify.com", NAME)).rejects.toMatchObject(unreachable);
  expect(calls).toBe(2);
});
