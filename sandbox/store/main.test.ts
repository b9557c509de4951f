import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createTransport } from "nodemailer";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { StoreReadyLine } from "./start-store.ts";

let directory: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "store-"));
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await rm(directory, { recursive: true, force: true });
});

async function start(
  ...args: string[]
): Promise<{ child: ChildProcess; ready: StoreReadyLine; lines: string[] }> {
  const main = join(import.meta.dirname, "main.ts");
  const started = spawn(process.execPath, [main, "--port", "0", "--data", directory, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  child = started;
  const lines: string[] = [];
  const reader = createInterface({ input: started.stdout });
  reader.on("line", (line) => lines.push(line));
  await once(reader, "line");
  return { child: started, ready: JSON.parse(lines[0] ?? ""), lines };
}

async function stop(started: ChildProcess): Promise<number | null> {
  started.kill("SIGTERM");
  const [code] = await once(started, "exit");
  return code;
}

const control = async (ready: StoreReadyLine, path: string, init: RequestInit = {}) => {
  const headers = {
    Authorization: `Bearer ${ready.control_token}`,
    "Content-Type": "application/json",
  };
  return (await fetch(`${ready.control_url}${path}`, { ...init, headers })).json();
};

it("prints one line, keeps everything in its folder, and stops when told", async () => {
  const first = await start();
  expect(Object.keys(first.ready)).toEqual(
    expect.arrayContaining([
      "store_url",
      "admin_url",
      "api_url",
      "control_url",
      "control_token",
      "shop",
      "api_key",
      "api_secret",
    ]),
  );
  const products = await control(first.ready, "/products");
  const variantId = products[0].variants[0].id;
  const body = JSON.stringify({ email: "a@example.com", lines: [{ variantId, quantity: 1 }] });
  const order = await control(first.ready, "/orders", { method: "POST", body });
  await control(first.ready, "/clock", { method: "POST", body: '{"advanceSeconds":86400}' });
  const mailer = createTransport(first.ready.smtp_url);
  await mailer.sendMail({
    from: "app@example.com",
    to: "Zoë <zoe@example.com>",
    subject: "Your form is ready – Zoë",
    text: "Sign in to see it.\n",
    html: "<p>Sign in to see it, Zoë.</p>",
  });
  mailer.close();
  const idle = connect(Number(new URL(first.ready.smtp_url).port), "127.0.0.1");
  await once(idle, "data"); // a client that stays connected
  const before = performance.now();
  expect(await stop(first.child)).toBe(0);
  expect(performance.now() - before).toBeLessThan(5_000);
  idle.destroy();
  expect(first.lines).toHaveLength(1);

  const second = await start();
  expect(second.ready).toMatchObject({
    api_key: first.ready.api_key,
    api_secret: first.ready.api_secret,
    control_token: first.ready.control_token,
  });
  expect(await control(second.ready, `/orders/${encodeURIComponent(order.id)}`)).toEqual(order);
  expect(await control(second.ready, "/mail")).toMatchObject([
    {
      to: "zoe@example.com",
      subject: "Your form is ready – Zoë",
      text: "Sign in to see it.\n",
      html: "<p>Sign in to see it, Zoë.</p>",
      at: expect.any(String),
    },
  ]);
  const { now } = await control(second.ready, "/clock");
  expect(Date.parse(now) - Date.now()).toBeGreaterThan(86_000_000);
  expect(await stop(second.child)).toBe(0);
});

/** Starts a store that is not to come up, and resolves with how it ended. */
async function fail(args: string[]): Promise<{ code: number | null; said: string }> {
  const main = join(import.meta.dirname, "main.ts");
  const started = spawn(process.execPath, [main, "--port", "0", ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said: Buffer[] = [];
  started.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  const deadline = setTimeout(() => started.kill("SIGKILL"), 15_000);
  const [code] = await once(started, "close");
  clearTimeout(deadline);
  return { code, said: Buffer.concat(said).toString() };
}

it("is reached by the address that it was given, and takes mail there", async () => {
  const { ready } = await start("--host", "127.0.0.2");
  expect(ready.smtp_url).toMatch(/^smtp:\/\/127\.0\.0\.2:\d+$/);
  expect(ready.api_url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
  expect((await fetch(ready.api_url)).status).toBeLessThan(500);
});

it.each([
  ["--host", "everywhere"],
  ["--port", "many"],
  ["--port", "70000"],
  ["--accounts", "old"],
  ["--retry-scale", "slow"],
  ["--app-url", "nowhere"],
])("says how it is started when told %s %s", async (...args) => {
  const { code, said } = await fail(args);
  expect(code).toBe(2);
  expect(said).toContain("npm run store");
});

it("says in one line why it cannot start: a port or a folder that another one has", async () => {
  const { ready } = await start();
  const { port } = new URL(ready.store_url);
  const taken = await fail(["--port", port]);
  expect(taken).toMatchObject({ code: 1, said: expect.stringMatching(/^The store could .+\n$/) });
  const used = await fail(["--data", directory]);
  expect(used).toMatchObject({
    code: 1,
    said: expect.stringContaining("another store uses this data folder"),
  });
});
