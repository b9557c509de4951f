import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { fillReferrals } from "../sandbox/referral-service/testing/fill-referrals.ts";
import { order } from "../sandbox/referral-service/testing/harness.ts";
import { type Figures, median } from "./figure.ts";
import { table } from "./table.ts";

const ROUNDS = 5;
const CREATES_PER_ROUND = 1500;
const CONNECTIONS = 16;
const LISTED = 200_000;
const PAGES_PER_ROUND = 300;
const CREATE_GOAL = 300;
const LIST_GOAL = 2;

const MAIN = fileURLToPath(new URL("../sandbox/referral-service/main.ts", import.meta.url));

const readyLine = z.object({
  base_url: z.url(),
  auth_url: z.url(),
  client_id: z.string(),
  client_secret: z.string(),
});
const tokens = z.object({ access_token: z.string() });
const page = z.object({ cursor: z.object({ cursor: z.string(), resultCount: z.number() }) });

type Call = (method: string, path: string, body?: string) => Promise<string>;

async function start(data: string): Promise<{ child: ChildProcess; call: Call }> {
  const args = [MAIN, "--port", "0", "--pace", "instant", "--data", data];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const ready = readyLine.parse(JSON.parse(String(line)));
  const { client_id, client_secret } = ready;
  const answer = await fetch(`${ready.auth_url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret }),
  });
  const { access_token } = tokens.parse(await answer.json());
  const { port, hostname } = new URL(ready.base_url);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
  const call: Call = (method, path, body) =>
    new Promise((resolve, reject) => {
      const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () =>
          response.statusCode === 200
            ? resolve(text)
            : reject(new Error(`${method} ${path} answered ${response.statusCode}`)),
        );
      });
      sent.on("error", reject);
      sent.end(body);
    });
  return { child, call };
}

async function stop(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}

async function createsPerSecond(call: Call, round: number): Promise<number> {
  let next = 0;
  const startedAtMs = performance.now();
  const worker = async () => {
    while (next < CREATES_PER_ROUND) {
      next += 1;
      const referenceNumber = `BENCH-${round}-${next}`;
      await call("POST", "/v1/referrals", JSON.stringify({ ...order, referenceNumber }));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return (CREATES_PER_ROUND * 1000) / (performance.now() - startedAtMs);
}

async function walkToLastPage(call: Call): Promise<string> {
  let path = "/v1/referrals";
  for (let number = 1; number < LISTED / 20; number += 1) {
    const { cursor } = page.parse(JSON.parse(await call("GET", path)));
    path = `/v1/referrals?cursor=${cursor.cursor}`;
  }
  return path;
}

function p99(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}

/** First and last page by turns, so that both meet the same weather. */
async function pageTimes(
  call: Call,
  lastPage: string,
): Promise<{ firstMs: number; lastMs: number }> {
  const times = { first: [] as number[], last: [] as number[] };
  for (let index = 0; index < PAGES_PER_ROUND; index += 1) {
    for (const [which, path] of [
      ["first", "/v1/referrals"],
      ["last", lastPage],
    ] as const) {
      const startedAtMs = performance.now();
      await call("GET", path);
      times[which].push(performance.now() - startedAtMs);
    }
  }
  return { firstMs: p99(times.first), lastMs: p99(times.last) };
}

/** The referral service: creates per second, and the last list page of 200,000 beside the first. */
export async function measureService(): Promise<Figures> {
  const data = mkdtempSync(join(tmpdir(), "pathway-bench-service-"));
  const creating = await start(":memory:");
  try {
    await createsPerSecond(creating.call, 0);
    const creates: Record<string, number>[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      creates.push({ perSecond: Math.round(await createsPerSecond(creating.call, round)) });
    }
    await stop(creating.child);
    fillReferrals(data, LISTED);
    const listing = await start(data);
    creating.child = listing.child;
    const lastPage = await walkToLastPage(listing.call);
    const lists: Record<string, number>[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { firstMs, lastMs } = await pageTimes(listing.call, lastPage);
      const round2 = (value: number) => Number(value.toFixed(2));
      lists.push({
        firstMs: round2(firstMs),
        lastMs: round2(lastMs),
        ratio: round2(lastMs / firstMs),
      });
    }
    await stop(listing.child);
    console.log(table(creates));
    console.log(table(lists));
    const perSecond = median(creates.map((round) => round.perSecond ?? 0));
    const ratio = Number(median(lists.map((round) => round.ratio ?? Number.NaN)).toFixed(2));
    return {
      "service.create": {
        value: perSecond,
        unit: "creates/s",
        goal: `≥ ${CREATE_GOAL}`,
        met: perSecond >= CREATE_GOAL,
        rounds: creates,
      },
      "service.list": {
        value: ratio,
        unit: "p99 of the last page of 200,000 referrals ÷ p99 of the first",
        goal: `≤ ${LIST_GOAL}`,
        met: ratio <= LIST_GOAL,
        rounds: lists,
      },
    };
  } finally {
    creating.child.kill("SIGKILL");
    rmSync(data, { recursive: true, force: true });
  }
}
