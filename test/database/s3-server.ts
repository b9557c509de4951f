import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";
import S3rver from "s3rver";
import type { S3Settings } from "../../app/clients/documents/s3-store.ts";

const CREDENTIALS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
const BUCKET = "documents";
const REGION = "ap-southeast-2";
const MAX_CLOCK_DIFFERENCE_MS = 15 * 60_000;

/** How one request goes wrong: it fails, takes its time, or is done and its answer breaks off. */
export type StoreTrouble = "fails" | "slow" | "torn";

const SLOW_MS = 2_000;

/**
 * Starts an S3 server, and before it a gate that is stricter: each request is signed again by AWS's own signer and has to come to
 * the same signature, its payload included, with a clock that is right. `refuse` answers everything with a code of S3's, and
 * `standIn` with a page of something that is no store. `trouble` chooses for each request what goes wrong with it.
 */
export async function startS3() {
  const directory = await mkdtemp(join(tmpdir(), "pathway-s3-"));
  const store = new S3rver({
    ...{ port: 0, address: "127.0.0.1", silent: true, directory },
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = (await store.run()) as AddressInfo;
  const refused: string[] = [];
  let refusal: { status: number; code: string } | null = null;
  let page: { body: string; methods: string[] } | null = null;
  let trouble: () => StoreTrouble | null = () => null;
  const gate = createServer((request, response) => {
    void pass(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const trial = trouble();
    if (trial === "slow") await delay(SLOW_MS);
    const failing = trial === "fails" ? { status: 500, code: "InternalError" } : null;
    const fault = refusal ?? failing ?? (await faultOf(request, body));
    if (fault) {
      refused.push(fault.code);
      response.writeHead(fault.status, { "Content-Type": "application/xml" });
      response.end(`<Error><Code>${fault.code}</Code><Message>a secret address</Message></Error>`);
      return;
    }
    if (page?.methods.includes(request.method ?? "")) {
      response.writeHead(200, { "Content-Type": "text/html" });
      response.end(page.body);
      return;
    }
    const { host, authorization: _, ...headers } = request.headers;
    // The gate has checked the signature, which names the gate's own host.
    const answer = await fetch(`http://127.0.0.1:${port}${request.url}`, {
      method: request.method ?? "GET",
      headers: {
        ...(headers as Record<string, string>),
        ...(await signedAnew(request, port, body)),
      },
      ...(body.length > 0 ? { body } : {}),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isList = request.url?.includes("list-type=2") && answer.status === 200;
    response.writeHead(answer.status, {
      "Content-Type": answer.headers.get("content-type") ?? "application/octet-stream",
      ETag: answer.headers.get("etag") ?? "",
    });
    const whole = isList ? Buffer.from(firstPage(String(bytes))) : bytes;
    // Done, and its answer lost or torn.
    if (trial === "torn") response.write(whole.subarray(0, whole.length / 2));
    if (trial === "torn") response.destroy();
    else response.end(whole);
  }
  await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    ...{ bucket: BUCKET, region: REGION, ...CREDENTIALS },
  };
  return {
    settings,
    /** The codes of what was refused. */
    refused,
    refuse(status: number, code: string) {
      refusal = { status, code };
    },
    /** Answers 200 with a text, as a proxy's or a login's page does. */
    standIn(body: string, methods = ["GET", "PUT", "DELETE"]) {
      page = { body, methods };
    },
    trouble(chosen: () => StoreTrouble | null) {
      trouble = chosen;
    },
    answer() {
      trouble = () => null;
      refusal = null;
      page = null;
    },
    async stop() {
      gate.closeAllConnections();
      await new Promise((resolve) => gate.close(resolve));
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Objects of one page. The server before us cannot make the token of a longer list on this version of Node. */
export const PAGE_OF_LIST = 10;

function firstPage(xml: string): string {
  const all = xml.match(/<Contents>.*?<\/Contents>/gs) ?? [];
  if (all.length <= PAGE_OF_LIST) return xml;
  const rest = all.slice(PAGE_OF_LIST).reduce((text, one) => text.replace(one, ""), xml);
  return rest.replace("<IsTruncated>false", "<IsTruncated>true");
}

const signer = new SignatureV4({
  ...{ service: "s3", region: REGION, credentials: CREDENTIALS, sha256: Sha256 },
  ...{ uriEscapePath: false, applyChecksum: true },
});

async function sign(
  request: IncomingMessage,
  { host, body, names, at }: { host: string; body: Buffer; names: Set<string>; at: Date },
) {
  const url = new URL(`http://${host}${request.url}`);
  const headers = Object.fromEntries(
    [...names].map((name) => [name, name === "host" ? host : String(request.headers[name])]),
  );
  return signer.sign(
    {
      ...{
        method: request.method ?? "GET",
        protocol: "http:",
        hostname: url.hostname,
        body,
        headers,
      },
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
    },
    { signingDate: at, signableHeaders: names },
  );
}

/** The code by which S3 would refuse a request; null for a good one. */
async function faultOf(
  request: IncomingMessage,
  body: Buffer,
): Promise<{ status: number; code: string } | null> {
  const given = request.headers.authorization ?? "";
  const names = new Set(/SignedHeaders=([^,]+)/.exec(given)?.[1]?.split(";") ?? []);
  const at = dateOf(request);
  if (!names.has("host") || !names.has("x-amz-date") || !names.has("x-amz-content-sha256"))
    return { status: 403, code: "AccessDenied" };
  if (Math.abs(at.getTime() - Date.now()) > MAX_CLOCK_DIFFERENCE_MS)
    return { status: 403, code: "RequestTimeTooSkewed" };
  if (request.headers["x-amz-content-sha256"] !== createHash("sha256").update(body).digest("hex"))
    return { status: 400, code: "XAmzContentSHA256Mismatch" };
  const host = request.headers.host ?? "";
  const { headers } = await sign(request, { host, body, names, at });
  const same = (text = "") => /Signature=(\w+)/.exec(text)?.[1];
  return same(headers.authorization) === same(given)
    ? null
    : { status: 403, code: "SignatureDoesNotMatch" };
}

async function signedAnew(request: IncomingMessage, port: number, body: Buffer) {
  const names = new Set(["host", "x-amz-date", "x-amz-content-sha256"]);
  const host = `127.0.0.1:${port}`;
  const { headers } = await sign(request, { host, body, names, at: dateOf(request) });
  return { authorization: headers.authorization ?? "" };
}

function dateOf(request: IncomingMessage): Date {
  const text = String(request.headers["x-amz-date"] ?? "");
  return new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}
