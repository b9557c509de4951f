import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { eventually, QUICK_WORLD, startWorld, type TestWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { goShopping, only } from "./shopping.ts";
import { startTraceCollector } from "./trace-collector.ts";

const PATIENCE = { timeoutMs: 120_000 };

let world: TestWorld;
let folder: string;
const collector = await startTraceCollector();
/** The server before the collector passes on, refuses, or says nothing. */
let manner: "passes" | "refuses" | "is silent" = "passes";
const before = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (manner === "is silent") return;
  if (manner === "refuses") return void response.writeHead(400).end("no");
  const headers = { "content-type": "application/json" };
  const body = Buffer.concat(chunks);
  const answer = await fetch(`${collector.endpoint}${request.url}`, {
    method: "POST",
    headers,
    body,
  });
  response.writeHead(answer.status, headers).end(await answer.text());
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pathway-traces-"));
  await chmod(folder, 0o711);
  await new Promise<void>((resolve) => before.listen(0, "127.0.0.1", resolve));
  world = await startWorld({
    ...QUICK_WORLD,
    workers: 1,
    env: {
      ...QUICK_WORLD.env,
      TMPDIR: folder,
      LOG_LEVEL: "debug",
      PATHWAY_SYNC_INTERVAL_MS: "600000",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(before.address() as AddressInfo).port}`,
    },
  });
});
afterAll(async () => {
  await world?.stop();
  before.closeAllConnections();
  before.close();
  collector.close();
  await rm(folder, { recursive: true, force: true });
});

const logLine = z.looseObject({
  msg: z.string().default(""),
  job: z.string().optional(),
  id: z.string().optional(),
  trace_id: z.string().optional(),
});
async function logLines() {
  const worlds = (await readdir(folder)).filter((name) => name.startsWith("pathway-world-"));
  const logs = join(folder, only(worlds), "logs");
  const texts = await Promise.all(
    (await readdir(logs)).map((name) => readFile(join(logs, name), "utf8")),
  );
  return texts
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.startsWith("{"))
    .map((line) => logLine.parse(JSON.parse(line)));
}
const traceOf = async (requestId: string) => {
  const [row] = await world.sql.rows(
    z.object({ traceparent: z.string() }),
    "SELECT traceparent FROM referral_requests WHERE id = $1",
    [requestId],
  );
  return row?.traceparent.split("-")[1] ?? "";
};
async function end(how: NodeJS.Signals, who: "all" | "workers" = "all"): Promise<void> {
  const { app, workers } = await world.processes();
  for (const pid of who === "all" ? [app, ...workers] : workers) process.kill(pid, how);
  await eventually(async () => {
    const now = await world.processes();
    expect([now.app, ...now.workers]).not.toContain(workers[0]);
    const url = world.line.admin_urls;
    for (const one of [url.app, ...url.workers])
      expect((await fetch(`${one}/readyz`)).status).toBe(200);
  }, PATIENCE);
}

test("an order is one trace over deaths, retries and days, and its log lines name it", async () => {
  const shopping = goShopping(world);
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("bundle").variantId, 1]]);
  await end("SIGKILL");
  const asked = await shopping.requestsWhen(order, 1, () => {}, PATIENCE.timeoutMs);
  // The patient takes their time.
  await end("SIGTERM");
  await world.console.setFaults({ attachmentStatus: 500 });
  await shopping.giveDetails(buyer, asked);
  await eventually(async () => {
    const failed = (await logLines()).filter(({ msg }) => msg === "job failed");
    expect(failed.map(({ job }) => job)).toContain("refetch-referral");
    // A process that is killed takes its last seconds' steps with it.
    expect(collector.spans.map(({ name }) => name)).toContain("job create-referral");
  }, PATIENCE);
  await end("SIGKILL");
  await world.console.setFaults({});
  const state = async (wanted: string) =>
    eventually(async () => expect(only(await buyer.api.requests()).state).toBe(wanted), PATIENCE);
  await state("form_ready");
  await end("SIGTERM");
  const referral = only(await oneReferralEach(world, asked));
  await world.console.sendResults(referral.uuid);
  await state("results_ready");
  await end("SIGTERM");

  const id = only(asked).id;
  const traceId = await traceOf(id);
  const { spans } = collector;
  const about = spans.filter(({ attributes }) =>
    attributes.some(
      ({ key, value }) =>
        ["pathway.requestId", "pathway.uuid"].includes(key) &&
        [id, referral.uuid].includes(String(value.stringValue)),
    ),
  );
  expect(about.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["job create-referral", "job refetch-referral"]),
  );
  // An event may come before the create call's answer is stored: its fetch has its own trace, which links to the order's.
  const linked = spans.filter(({ links }) => links.some((one) => one.traceId === traceId));
  const traces = new Set([traceId, ...linked.map((span) => span.traceId)]);
  const strangers = about.filter((span) => !traces.has(span.traceId));
  expect(strangers.map(({ name, attributes }) => [name, attributes])).toEqual([]);
  const namesIn = (isOf: (id: string) => boolean) =>
    spans.filter((span) => isOf(span.traceId)).map(({ name }) => name);
  expect(namesIn((one) => one === traceId)).toContain("service POST /v1/referrals");
  // Whichever came first, the PDFs are stored in the order's own trace.
  const downloads = spans.filter(({ name }) => name === "service download");
  expect(new Set(downloads.map((span) => span.traceId))).toEqual(new Set([traceId]));
  // A failure is found by its line, and its line by the trace.
  const failures = (await logLines()).filter(
    ({ msg, job }) => msg === "job failed" && job === "refetch-referral",
  );
  expect(failures.filter(({ trace_id }) => !traces.has(trace_id ?? ""))).toEqual([]);
});

test.each(["refuses", "is silent"] as const)(
  "a collector that %s keeps no order waiting, and no process from ending",
  async (how) => {
    manner = how;
    const shopping = goShopping(world);
    await shopping.buyToForm(await shopping.newShopper());
    await end("SIGTERM");
    const metrics = async () => (await fetch(`${world.line.admin_urls.workers[0]}/metrics`)).text();
    await shopping.buyToForm(await shopping.newShopper());
    await eventually(async () => expect(await metrics()).toMatch(/loop="traces"/), PATIENCE);
    manner = "passes";
  },
);
