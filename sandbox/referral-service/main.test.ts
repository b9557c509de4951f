import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { order, postForm, send } from "./testing/harness.ts";
import { startReceiver } from "./testing/webhook-receiver.ts";
import { tokens } from "./wire/common.ts";
import { referral } from "./wire/referral-wire.ts";

const readyLine = z.strictObject({
  environment: z.enum(["staging", "production"]),
  base_url: z.url(),
  auth_url: z.url(),
  app_url: z.url(),
  client_id: z.string(),
  client_secret: z.string(),
  console_token: z.string(),
});
type Ready = z.infer<typeof readyLine>;

const main = fileURLToPath(new URL("main.ts", import.meta.url));
let data: string;
const running = new Set<ChildProcess>();
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "referral-service-"));
});
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
  rmSync(data, { recursive: true, force: true });
});

async function start(...args: string[]) {
  const child = spawn(process.execPath, [main, "--port", "0", "--pace", "instant", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line));
  await once(reader, "line");
  return { child, lines, ready: readyLine.parse(JSON.parse(lines[0] ?? "")) };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
  running.delete(child);
  return child.exitCode;
}

async function tokenFor(ready: Ready): Promise<string> {
  const { client_id, client_secret } = ready;
  const form = { grant_type: "client_credentials", client_id, client_secret };
  return tokens.parse((await postForm(ready.auth_url, form)).body).access_token;
}

const call = (ready: Ready, token: string, method: string, path: string, body?: unknown) =>
  send(`${ready.base_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

test("prints one ready line on standard output, and ends cleanly on SIGTERM within 5 s", async () => {
  const { child, lines, ready } = await start();
  const token = await tokenFor(ready);
  expect((await call(ready, token, "GET", "/v1/tests")).status).toBe(200);
  const startedAtMs = Date.now();
  expect(await end(child, "SIGTERM")).toBe(0);
  expect(Date.now() - startedAtMs).toBeLessThan(5000);
  expect(lines).toHaveLength(1);
});

test("SIGTERM ends a server with slow requests in time", async () => {
  const { child, ready } = await start();
  const token = await tokenFor(ready);
  await send(`${ready.app_url}/api/faults`, {
    method: "PUT",
    headers: { authorization: `Bearer ${ready.console_token}` },
    body: JSON.stringify({ createDelayMs: 60_000 }),
  });
  const pending = call(ready, token, "POST", "/v1/referrals", order).catch(() => "cut");
  await call(ready, token, "GET", "/v1/tests");
  const startedAtMs = Date.now();
  expect(await end(child, "SIGTERM")).toBe(0);
  expect(Date.now() - startedAtMs).toBeLessThan(5000);
  expect(await pending).toBe("cut");
});

test("a data folder survives SIGKILL with every acknowledged referral, token and credential", async () => {
  const first = await start("--data", data);
  const token = await tokenFor(first.ready);
  const acknowledged: string[] = [];
  const order1 = async () => {
    for (;;) {
      const reply = await call(first.ready, token, "POST", "/v1/referrals", order);
      acknowledged.push(referral.parse(reply.body).uuid);
    }
  };
  const load = Promise.allSettled([order1(), order1(), order1(), order1()]);
  while (acknowledged.length < 100) await call(first.ready, token, "GET", "/v1/tests");
  await end(first.child, "SIGKILL");
  await load;
  const second = await start("--data", data);
  expect(second.ready).toMatchObject({
    client_id: first.ready.client_id,
    client_secret: first.ready.client_secret,
    console_token: first.ready.console_token,
  });
  for (const uuid of acknowledged) {
    const reply = await call(second.ready, token, "GET", `/v1/referrals/${uuid}`);
    expect(reply.status).toBe(200);
  }
  const last = acknowledged.at(-1);
  for (;;) {
    const reply = await call(second.ready, token, "GET", `/v1/referrals/${last}`);
    if (referral.parse(reply.body).status === "ISSUED") break;
  }
});

test("events that were not delivered before SIGKILL are delivered after it", async () => {
  const receiver = await startReceiver();
  receiver.answerWith(503);
  const first = await start("--data", data);
  await send(`${first.ready.app_url}/api/webhook`, {
    method: "PUT",
    headers: { authorization: `Bearer ${first.ready.console_token}` },
    body: JSON.stringify({ url: receiver.url }),
  });
  const token = await tokenFor(first.ready);
  await call(first.ready, token, "POST", "/v1/referrals", order);
  const [refused] = await receiver.count(1);
  await end(first.child, "SIGKILL");
  receiver.answerWith(200);
  const before = receiver.received.length;
  await start("--data", data);
  const all = await receiver.count(before + 2);
  const ids = all.slice(before).map(({ body }) => body.id);
  expect(ids).toContain(refused?.body.id);
  await receiver.stop();
});

test("a second server on the same folder does not start", async () => {
  await start("--data", data);
  const child = spawn(process.execPath, [main, "--port", "0", "--data", data], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const errors: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  await once(child, "close");
  expect(child.exitCode).toBe(1);
  expect(errors.join("")).toContain("another server uses this data folder");
});

test("keeps both environments of one folder apart; :memory: keeps nothing", async () => {
  const staging = await start("--data", data, "--environment", "staging");
  const production = await start("--data", data, "--environment", "production");
  expect(production.ready.environment).toBe("production");
  expect(production.ready.client_id).not.toBe(staging.ready.client_id);
  const { client_id, client_secret } = staging.ready;
  const form = { grant_type: "client_credentials", client_id, client_secret };
  const refused = await postForm(production.ready.auth_url, form);
  expect(refused).toMatchObject({ status: 401, body: { code: "110" } });
  const stagingToken = await tokenFor(staging.ready);
  expect((await call(production.ready, stagingToken, "GET", "/v1/tests")).status).toBe(401);
  const one = await start("--data", ":memory:");
  const two = await start("--data", ":memory:");
  expect(one.ready.client_id).not.toBe(two.ready.client_id);
});

test("is reached by the address that it was given, and names itself by it", async () => {
  const { ready } = await start("--host", "127.0.0.2");
  expect(ready.base_url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
  const token = await tokenFor(ready);
  expect((await call(ready, token, "GET", "/v1/tests")).status).toBe(200);
});

test("unknown options and bad values end with a usage line and nothing on standard output", async () => {
  for (const args of [
    ["--colour"],
    ["--host", "everywhere"],
    ["--port", "http"],
    ["--environment", "test"],
    ["--pace", "fast"],
  ]) {
    const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    const output: string[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk.toString()));
    const errors: string[] = [];
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
    await once(child, "close");
    expect(child.exitCode).toBe(2);
    expect(output).toEqual([]);
    expect(errors.join("")).toContain("npm run service -- [--port");
  }
});
