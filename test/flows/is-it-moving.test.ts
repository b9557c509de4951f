import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { administer, databaseUrl } from "../database/administer.ts";
import { eventually, startWorld, type TestWorld } from "../harness/index.ts";
import { readMetrics, sampleOf } from "../harness/metrics.ts";
import { goShopping } from "./shopping.ts";

/** Half a minute where the machine is quiet: two beats are missing by then, and a loop that fails is told with the next one. */
const SHOWN_WITHIN = { timeoutMs: 80_000, intervalMs: 500 };

let world: TestWorld;
beforeAll(async () => {
  world = await startWorld({ workers: 1 });
});
afterAll(() => world?.stop(), 60_000);

/** The words on the home page. */
const home = async () =>
  (await world.pages.open("/app"))
    .replaceAll(/<script[\s\S]*?<\/script>/g, "")
    .replaceAll(/<!--[\s\S]*?-->|<[^>]+>/g, "");

const showsThatAllIsWell = () =>
  eventually(async () => {
    const page = await home();
    expect(page).toContain("Connection status");
    expect(page).not.toContain("whoever runs Pathway");
  }, SHOWN_WITHIN);

const statement = (text: string) => world.sql.rows(z.unknown(), text);

test("each process tells how it is, and nothing about any shop, order or patient", async () => {
  const shopping = goShopping(world);
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer);
  const { app, workers } = world.line.admin_urls;
  const texts = await Promise.all(
    [app, ...workers].map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  const samples = texts.map(readMetrics);
  for (const process of samples) {
    expect(sampleOf(process, "process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(sampleOf(process, "pathway_database_up")).toBe(1);
    expect(sampleOf(process, "pathway_outbox_age_seconds")).toBeLessThan(30);
    for (const pool of ["app", "jobs"])
      expect(
        sampleOf(process, "pathway_database_connections", { pool, state: "in_use" }),
      ).toBeGreaterThanOrEqual(0);
  }
  const total = (name: string, labels: Record<string, string>) =>
    samples.reduce((sum, process) => sum + (sampleOf(process, name, labels) ?? 0), 0);
  const created = { kind: "create-referral", outcome: "completed" };
  expect(total("pathway_jobs_total", created)).toBeGreaterThanOrEqual(1);
  const answered = { method: "POST", outcome: "success" };
  expect(total("pathway_service_calls_total", answered)).toBeGreaterThanOrEqual(1);
  const accepted = { source: "shopify", outcome: "accepted" };
  expect(total("pathway_webhooks_total", accepted)).toBeGreaterThanOrEqual(1);
  const [request] = requests;
  const words = samples.flat().flatMap(({ labels }) => Object.values(labels));
  for (const secret of [world.line.store.shop, buyer.email, order.id, order.name, request?.id])
    expect(words.join(" ")).not.toContain(secret);
  const number = order.id.slice(order.id.lastIndexOf("/") + 1);
  expect(words.join(" ")).not.toContain(number);
});

test("home shows that the relay fails, with its code and what waits", async () => {
  await showsThatAllIsWell();
  const mend = () => statement("ALTER TABLE outbox RENAME COLUMN broken TO singleton_key");
  onTestFinished(async () => void (await mend().catch(() => "mended already")));
  await statement("ALTER TABLE outbox RENAME COLUMN singleton_key TO broken");
  await world.store.createProduct({ title: "Something else", variants: [{ priceCents: 100 }] });
  await eventually(async () => {
    const page = await home();
    // The maintenance may have its turn meanwhile, and meets the same.
    expect(page).toMatch(/A part of Pathway fails: [\w, -]*\brelay\b[\w, -]* \(code 42703\)\./);
    // The service may tell of the order before this one, too.
    expect(page).toMatch(/\b[1-9]\d* messages? not read yet/);
    expect(page).toContain("Not moving");
  }, SHOWN_WITHIN);
  await mend();
  await showsThatAllIsWell();
});

test("home shows that another process fell silent", async () => {
  await showsThatAllIsWell();
  const [worker] = (await world.processes()).workers;
  if (!worker) throw new Error("no worker runs");
  const goOn = () => process.kill(worker, "SIGCONT");
  onTestFinished(() => void goOn());
  process.kill(worker, "SIGSTOP");
  await eventually(
    async () => expect(await home()).toContain("A process of Pathway doesn’t answer."),
    SHOWN_WITHIN,
  );
  goOn();
  await showsThatAllIsWell();
});

test("a page says what to do while the database is away, and works again afterwards", async () => {
  const url = world.line.owner_database_url;
  const name = new URL(url).pathname.slice(1);
  const administration = databaseUrl(url, "postgres");
  const allow = (allowed: boolean) =>
    administer(administration, `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`);
  onTestFinished(() => allow(true));
  const { app } = await world.processes();
  await allow(false);
  await administer(
    administration,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  const refusal = await home().catch((error: unknown) => String(error));
  expect(refusal).toContain("503");
  expect(refusal).toContain("Orders already received are safe.");
  expect(refusal).toContain("Wait a minute, then reload the page.");
  await allow(true);
  await showsThatAllIsWell();
  expect((await world.processes()).app).toBe(app);
});

test("a page says that Pathway is busy while somebody holds what it reads", async () => {
  const holder = new pg.Client(world.line.owner_database_url);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE catalogues");
  const refusal = await home().catch((error: unknown) => String(error));
  expect(refusal).toContain("503");
  expect(refusal).toContain("Pathway is busy");
  await holder.query("ROLLBACK");
  await showsThatAllIsWell();
});
