/** Long because it has every way in which a host may give a file, or fail to. */
import type { LookupAddress } from "node:dns";
import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { listening } from "../../../../test/samples/listening.ts";
import { type Behaviour, startServer } from "../testing/start-server.ts";
import { type AttachmentFetcherOptions, createAttachmentFetcher } from "./attachment-fetcher.ts";

const PDF = Buffer.from("%PDF-1.7\n%âãÏÓ\n%%EOF", "latin1");
const givePdf: Behaviour = (_, response) => response.writeHead(200).end(PDF);

/** A file host that behaves like this, with its address on the list. */
async function startFiles(
  behaviour: Behaviour = givePdf,
  options: Partial<AttachmentFetcherOptions> = {},
) {
  const server = await startServer(behaviour);
  const fetcher = createAttachmentFetcher({
    allowedHosts: [`127.0.0.1:${server.port}`],
    ...options,
  });
  const download = (target = "/file.pdf?signature=s3cret") => fetcher.download(server.url + target);
  return { server, fetcher, download };
}

const resolvesTo =
  (...addresses: string[]) =>
  async (): Promise<LookupAddress[]> =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

test("downloads a PDF whole, without cookies or credentials", async () => {
  const { download, server } = await startFiles();
  expect(await download()).toEqual({ kind: "pdf", bytes: PDF });
  expect(server.requests[0]?.target).toBe("/file.pdf?signature=s3cret");
  expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
});

test.each([401, 403, 404, 410])("%i means that the address has expired", async (status) => {
  const { download } = await startFiles((_, response) => response.writeHead(status).end());
  expect(await download()).toMatchObject({ kind: "expired", status });
});

test("another 4xx means that the file has gone", async () => {
  const { download } = await startFiles((_, response) => response.writeHead(451).end());
  expect(await download()).toMatchObject({ kind: "gone", status: 451 });
});

test.each([
  ["a byte order mark", Buffer.from([0xef, 0xbb, 0xbf])],
  ["line breaks", Buffer.from("\r\n \n")],
])("takes a PDF with %s before it as it is, as readers of PDFs do", async (_, before) => {
  const bytes = Buffer.concat([before, PDF]);
  const { download } = await startFiles((_request, response) => response.writeHead(200).end(bytes));
  expect(await download()).toEqual({ kind: "pdf", bytes });
});

test.each(["", "\n", " ".repeat(2_000)])(
  "refuses %j and nothing readable after it",
  async (before) => {
    const { download } = await startFiles((_request, response) =>
      response.writeHead(200).end(`${before}<!doctype html>`),
    );
    expect(await download()).toEqual({ kind: "not_pdf" });
  },
);

test.each<[string, Buffer]>([
  ["gzip", gzipSync(PDF)],
  ["br", brotliCompressSync(PDF)],
])("unpacks a PDF that is stored as %s", async (encoding, body) => {
  const { download } = await startFiles((_, response) =>
    response.writeHead(200, { "content-encoding": encoding }).end(body),
  );
  expect(await download()).toEqual({ kind: "pdf", bytes: PDF });
});

test("takes a PDF as it is that was unpacked on the way", async () => {
  const { download } = await startFiles((_, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(PDF),
  );
  expect(await download()).toEqual({ kind: "pdf", bytes: PDF });
});

test("takes no file that is too large once it is unpacked, nor one that is packed in half", async () => {
  const packed = (body: Buffer) => (_: unknown, response: ServerResponse) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(body);
  const large = await startFiles(packed(gzipSync(Buffer.alloc(2_000, PDF))), { maxBytes: 1_000 });
  expect(await large.download()).toMatchObject({ kind: "refused", reason: "file is too large" });
  const half = await startFiles(packed(gzipSync(PDF).subarray(0, 20)));
  await expect(half.download()).rejects.toMatchObject({ failure: "connection" });
});

test("waits for no other protocol that a host answers with", async () => {
  const { download } = await startFiles((_, response) =>
    response.writeHead(101, { connection: "upgrade", upgrade: "other" }).end(),
  );
  await expect(download()).rejects.toMatchObject({ failure: "connection", retryable: true });
});

test("refuses a body that is not a PDF, whatever it is called", async () => {
  const { download } = await startFiles((_, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end("<html>%PDF-</html>");
  });
  expect(await download()).toEqual({ kind: "not_pdf" });
});

/** A host that says nothing of the length: the end of the connection ends the file, and whatever ends the connection. */
async function startWithoutLength(body: Buffer) {
  const server = createServer((socket) =>
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
      socket.end(body);
    }),
  );
  const host = `127.0.0.1:${await listening(server)}`;
  return createAttachmentFetcher({ allowedHosts: [host] }).download(`http://${host}/file.pdf`);
}

test("half a PDF whose host did not tell its length is none, and may be whole later", async () => {
  await expect(startWithoutLength(PDF.subarray(0, 12))).rejects.toMatchObject({
    ...{ failure: "connection", retryable: true },
  });
  const whole = Buffer.concat([PDF, Buffer.from("\r\n\0")]);
  expect(await startWithoutLength(whole)).toEqual({ kind: "pdf", bytes: whole });
});

test("a file over the limit is refused, announced or not", async () => {
  const large = Buffer.concat([PDF, Buffer.alloc(1000)]);
  for (const announced of [true, false]) {
    const { download } = await startFiles(
      (_, response) => {
        if (announced) response.setHeader("content-length", large.length);
        response.writeHead(200);
        response.write(large.subarray(0, 900));
        response.end(large.subarray(900));
      },
      { maxBytes: 1000 },
    );
    const refused = { kind: "refused", reason: "file is too large", status: 200 };
    expect(await download()).toEqual(refused);
  }
});

test("a file announced over the limit is not even waited for", async () => {
  const { download } = await startFiles(
    (_, response) => response.writeHead(200, { "content-length": 5000 }).flushHeaders(),
    { maxBytes: 1000, timeoutMs: 500 },
  );
  expect(await download()).toMatchObject({ kind: "refused", reason: "file is too large" });
});

test("an endless file is cut off while it streams", async () => {
  let closed = false;
  const { download } = await startFiles(
    (_, response) => {
      response.writeHead(200).write(PDF);
      const timer = setInterval(() => response.write(Buffer.alloc(4096)), 1);
      response.on("close", () => {
        closed = true;
        clearInterval(timer);
      });
    },
    { maxBytes: 100_000 },
  );
  expect(await download()).toMatchObject({ kind: "refused" });
  await expect.poll(() => closed).toBe(true);
});

test.each<[string, Behaviour, string]>([
  ["500", (_, r) => r.writeHead(500).end(), "server"],
  ["429", (_, r) => r.writeHead(429).end(), "rate_limited"],
  ["a reset", (_, r) => r.destroy(), "connection"],
  ["half a file", (_, r) => halfFile(r), "connection"],
  ["silence", () => {}, "timeout"],
  ["a file that stops coming", (_, r) => r.writeHead(200).write(PDF), "timeout"],
])("%s may be better later", async (_, behaviour, failure) => {
  const { download } = await startFiles(behaviour, { timeoutMs: 200 });
  const error: unknown = await download().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ failure, retryable: true });
  expect(`${error} ${error instanceof Error ? error.cause : ""}`).not.toContain("s3cret");
});

test("follows redirects on the list, three at most", async () => {
  const { download, server } = await startFiles((received, response) => {
    const left = Number(received.target.slice(1));
    if (left === 0) return response.writeHead(200).end(PDF);
    return response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  expect(await download("/3")).toMatchObject({ kind: "pdf" });
  expect(server.requests).toHaveLength(4);
  expect(await download("/4")).toEqual({ kind: "refused", reason: "too many redirects" });
  expect(server.requests).toHaveLength(8);
});

test("follows no redirect off the list", async () => {
  const inner = await startServer(givePdf);
  for (const location of [
    inner.url,
    "http://169.254.169.254/",
    "file:///etc/passwd",
    "http://[",
    "",
  ]) {
    const { download } = await startFiles((_, response) =>
      response.writeHead(302, { location }).end(),
    );
    expect(await download("/redirect")).toMatchObject({ kind: "refused" });
  }
  expect(inner.requests).toEqual([]);
});

test("refuses every spelling of an address that is not on the list", async () => {
  const { server } = await startFiles();
  const { port } = server;
  const fetcher = createAttachmentFetcher({ allowedHosts: ["files.example.com", "10.0.0.1"] });
  const hosts = [
    ...["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.1.", "0", "localhost"],
    ...["[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::]", "files.example.com@127.0.0.1"],
    ...["files.example.com", "files.example.com.evil.test", "evil.test#files.example.com"],
  ];
  for (const host of hosts) {
    const outcome = await fetcher.download(`http://${host}:${port}/file.pdf`);
    expect([host, outcome.kind]).toEqual([host, "refused"]);
  }
  expect(server.requests).toEqual([]);
});

test("refuses http, user names, other ports and other schemes on a listed host", async () => {
  const fetcher = createAttachmentFetcher({
    allowedHosts: ["files.example.com", "10.0.0.1:4010"],
    resolve: () => Promise.reject(new Error("nobody should ask")),
  });
  for (const address of [
    "http://files.example.com/a.pdf",
    "http://files.example.com:443/a.pdf",
    "https://files.example.com:8443/a.pdf",
    "https://user:password@files.example.com/a.pdf",
    "https://sub.files.example.com/a.pdf",
    "ftp://files.example.com/a.pdf",
    "ftp://10.0.0.1:4010/a.pdf",
    "data:application/pdf,%25PDF-",
    "not an address",
    "",
  ]) {
    expect([address, (await fetcher.download(address)).kind]).toEqual([address, "refused"]);
  }
});

test.each([
  [["127.0.0.1"]],
  [["10.1.2.3"]],
  [["169.254.169.254"]],
  [["::1"]],
  [["::ffff:127.0.0.1"]],
  [["fd00:ec2::254"]],
  [["64:ff9b::7f00:1"]],
  [["2002:7f00:1::"]],
  [["8.8.8.8", "127.0.0.1"]],
  [[]],
])(
  "a listed name that leads to %s is not visited, and may lead elsewhere later",
  async (addresses) => {
    const { server } = await startFiles();
    const fetcher = createAttachmentFetcher({
      allowedHosts: [`files.example.com:${server.port}`],
      resolve: resolvesTo(...addresses),
      timeoutMs: 2000,
    });
    const download = fetcher.download(`http://files.example.com:${server.port}/file.pdf`);
    await expect(download).rejects.toMatchObject({
      ...{ failure: "connection", retryable: true },
      cause: { code: "PRIVATE_ADDRESS" },
    });
    expect(server.requests).toEqual([]);
  },
);

test("a name that changes its address between visits is vetted at each", async () => {
  const { server } = await startFiles((_, response) =>
    response.writeHead(302, { location: "/b" }).end(),
  );
  let visit = 0;
  const fetcher = createAttachmentFetcher({
    allowedHosts: [`127.0.0.1:${server.port}`, `files.example.com:${server.port}`],
    resolve: async () => resolvesTo(visit++ === 0 ? "169.254.1.1" : "127.0.0.1")(),
  });
  for (let call = 0; call < 2; call += 1) {
    const download = fetcher.download(`http://files.example.com.:${server.port}/file.pdf`);
    await expect(download).rejects.toMatchObject({ cause: { code: "PRIVATE_ADDRESS" } });
  }
  expect(visit).toBe(2);
  expect(server.requests).toEqual([]);
});

test("a list that cannot be read stops the start", () => {
  for (const entry of [
    "https://files.example.com",
    "files.example.com/path",
    "a b",
    "user@host",
    "::1",
    "",
  ]) {
    expect(() => createAttachmentFetcher({ allowedHosts: [entry] })).toThrow();
  }
});

function halfFile(response: Parameters<Behaviour>[1]): void {
  response.writeHead(200, { "content-length": "5000" });
  response.write(PDF, () => response.destroy());
}
