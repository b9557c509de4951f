import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createS3Store } from "../../app/clients/documents/s3-store.ts";
import { startS3 } from "../database/s3-server.ts";
import { fetchDocument, textOfPdf } from "../flows/customer-documents.ts";
import { goShopping, only, type Shopper } from "../flows/shopping.ts";
import { eventually, QUICK_WORLD, startWorld, type TestWorld } from "../harness/index.ts";
import { randomFrom } from "./random.ts";

const PATIENCE = { timeoutMs: 120_000 };
const WHOLE = { from: "00000000-0000-0000-0000-000000000000", until: null };

let world: TestWorld;
let folder: string;
const s3 = await startS3();
const store = createS3Store(s3.settings);
const random = randomFrom(23);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pathway-moving-"));
  await choose("database");
  world = await startWorld({
    ...QUICK_WORLD,
    workers: 2,
    env: {
      ...QUICK_WORLD.env,
      PATHWAY_MAINTENANCE_INTERVAL_MS: "2000",
      PATHWAY_DOCUMENTS_FILE: join(folder, "choice"),
      PATHWAY_DOCUMENTS_DIR: join(folder, "documents"),
      PATHWAY_S3_ENDPOINT: s3.settings.endpoint,
      PATHWAY_S3_BUCKET: s3.settings.bucket,
      PATHWAY_S3_REGION: s3.settings.region,
      PATHWAY_S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
      PATHWAY_S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
    },
  });
});
afterAll(async () => {
  await world?.stop();
  await s3.stop();
  await rm(folder, { recursive: true, force: true });
});

const choose = (target: string) => writeFile(join(folder, "choice"), target);

const pids = async () => {
  const { app, workers } = await world.processes();
  return [app, ...workers];
};
function signal(pid: number, how: NodeJS.Signals): void {
  try {
    process.kill(pid, how);
  } catch (error) {
    // Dead already: the last strike was a moment ago.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** `npm run keys`, with the settings of the processes and the owner's login. */
async function keys(...says: string[]): Promise<string> {
  // One that is just dying has none.
  const settings = await eventually(async () => {
    const [, worker = 0] = await pids();
    const environ = await readFile(`/proc/${worker}/environ`, "utf8");
    expect(environ).toContain("PATHWAY_MASTER_KEYS");
    return environ.split("\0").map((line) => /^([^=]*)=(.*)$/s.exec(line)?.slice(1) ?? [line, ""]);
  });
  const child = spawn(process.execPath, ["app/keys.ts", ...says], {
    env: { ...Object.fromEntries(settings), DATABASE_URL: world.line.owner_database_url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, "exit");
  expect(code, (await said).join("")).toBe(0);
  return (await said).join("");
}

/** Until every worker is at work again, and has met the store in its trouble. */
async function working(): Promise<void> {
  await eventually(async () => {
    for (const url of world.line.admin_urls.workers)
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
  }, PATIENCE);
  await troubled();
}

/** Until the store has failed once more. */
async function troubled(): Promise<void> {
  const before = s3.refused.length;
  await eventually(async () => expect(s3.refused.length).toBeGreaterThan(before), PATIENCE);
}

const places = async () =>
  Object.fromEntries(
    (
      await world.sql.rows(
        z.object({ place: z.string(), n: z.number() }),
        "SELECT coalesce(store, 'database') AS place, count(*)::int AS n FROM document_bodies GROUP BY 1",
      )
    ).map(({ place, n }) => [place, n]),
  );
const allAt = (target: string) =>
  eventually(async () => expect(Object.keys(await places())).toEqual([target]), {
    what: `every document in ${target}`,
    ...PATIENCE,
  });

/** Every document that a buyer sees opens, and is of their patient. */
async function opens(buyer: Shopper, lastName: string): Promise<number> {
  const documents = (await buyer.api.requests()).flatMap((request) => request.documents);
  for (const { id } of documents) {
    const words = await eventually(async () => {
      const pdf = await fetchDocument(world, id, buyer.id);
      expect(pdf.status).toBe(200);
      return textOfPdf(new Uint8Array(await pdf.arrayBuffer()));
    }, PATIENCE);
    expect(words.toUpperCase()).toContain(lastName.toUpperCase());
  }
  return documents.length;
}

async function objects(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list(world.line.store.shop, WHOLE)) names.push(name);
  return names;
}

test("documents move while everything goes on, dies and fails, and each is its owner's afterwards", async () => {
  const shopping = goShopping(world);
  const named = (lastName: string) => ({ ...shopping.patient(), lastName });
  async function buy(lastName: string, kind: "bundle" | "tests" = "bundle") {
    const buyer = await shopping.newShopper();
    const order = await shopping.buy(buyer, [[shopping.product(kind).variantId, 1]]);
    const asked = await shopping.requestsWhen(order, 1, () => {}, PATIENCE.timeoutMs);
    await eventually(() => shopping.giveDetails(buyer, asked, named(lastName)), PATIENCE);
    return { buyer, order, request: only(asked), lastName };
  }
  const ready = async ({ buyer }: { buyer: Shopper }, state = "form_ready") =>
    eventually(async () => expect(only(await buyer.api.requests()).state).toBe(state), {
      what: state,
      ...PATIENCE,
    });
  const NAMES = ["Ashgrove", "Birkdale", "Calamvale", "Darra", "Enoggera", "Ferny"];
  const people: Awaited<ReturnType<typeof buy>>[] = [];
  for (const name of NAMES) people.push(await buy(name));
  for (const person of people) await ready(person);
  const [kept, corrected, erased, refunded, resulted] = people;
  if (!kept || !corrected || !erased || !refunded || !resulted) throw new Error("nobody");
  expect(await places()).toEqual({ database: NAMES.length });

  for (const target of ["s3", "files", "s3"]) {
    await choose(target);
    const troubles = ["fails", "slow", "torn", null, null] as const;
    s3.trouble(() => random.pick(troubles));
    for (const pid of await pids()) signal(pid, "SIGTERM");
    const killing = (async () => {
      for (let n = 0; n < 5; n++) {
        await working();
        const { workers } = await world.processes();
        const victim = workers[random.below(workers.length)];
        if (victim !== undefined) signal(victim, "SIGKILL");
      }
    })();
    const rotating = keys("rotate", "patients").then(() => keys("rotate", "epochs"));
    if (target === "s3" && corrected.lastName === "Birkdale") {
      corrected.lastName = "Rectified";
      await eventually(
        () => corrected.buyer.api.giveDetails(corrected.request.id, named("Rectified")),
        PATIENCE,
      );
    }
    if (target === "files") {
      await eventually(
        () =>
          world.store.privacy("customers/redact", {
            customerId: erased.buyer.id,
            orderIds: [erased.order.id],
          }),
        PATIENCE,
      );
      const line = only(refunded.order.lines);
      await world.store.refund(refunded.order.id, [{ lineItemId: line.id, quantity: 1 }]);
      const { referralsByReferenceNumber } = await world.console.stats();
      expect(referralsByReferenceNumber[resulted.request.referenceNumber]).toBe(1);
    }
    people.push(await buy(`Late${target}${people.length}`));
    await Promise.all([killing, rotating]);
    await working();
    s3.answer();
    await ready(people.at(-1) ?? kept);
    await allAt(target);
  }

  for (const person of people) {
    if (person === erased || person === refunded) continue;
    await ready(person);
    expect(await opens(person.buyer, person.lastName)).toBe(1);
  }
  // A former form opens for nobody, and nobody else's either.
  const own = only(only(await kept.buyer.api.requests()).documents);
  expect((await fetchDocument(world, own.id, corrected.buyer.id)).status).toBe(404);

  // A PDF that the store loses comes from the service again, because somebody wants to open it.
  const { object } = only(
    await world.sql.rows(
      z.object({ object: z.string() }),
      "SELECT object FROM document_bodies WHERE document_id = $1",
      [own.id],
    ),
  );
  await store.delete(world.line.store.shop, object);
  expect((await fetchDocument(world, own.id, kept.buyer.id)).status).toBe(503);
  expect(await opens(kept.buyer, kept.lastName)).toBe(1);

  // Nothing of the erased person, and each row has its object.
  const rows = await world.sql.rows(
    z.object({ requestId: z.string(), object: z.string() }),
    `SELECT d.request_id AS "requestId", b.object FROM documents d
     JOIN document_bodies b ON b.shop = d.shop AND b.document_id = d.id`,
  );
  expect(rows.filter(({ requestId }) => requestId === erased.request.id)).toEqual([]);
  const there = await objects();
  expect(rows.filter(({ object }) => !there.includes(object))).toEqual([]);
  expect(
    await world.sql.count("SELECT count(*) FROM document_bodies WHERE lost_at IS NOT NULL"),
  ).toBe(0);
  expect(new Set(Object.values((await world.console.stats()).referralsByReferenceNumber))).toEqual(
    new Set([1]),
  );
}, 1_800_000);

test("a shop that is erased while the store is away leaves nothing there", async () => {
  expect(await objects()).not.toEqual([]);
  await world.store.uninstall();
  // The store asks for the erasure two days later.
  const left = "SELECT count(*) FROM shops WHERE uninstalled_at IS NOT NULL";
  // Where it does not leave, what became of the message says why.
  const told = "SELECT state, refusal FROM inbox WHERE topic = 'app/uninstalled'";
  const message = z.object({ state: z.string(), refusal: z.string().nullable() });
  await eventually(
    async () =>
      expect([await world.sql.count(left), await world.sql.rows(message, told)]).toEqual([
        1,
        [{ state: "done", refusal: null }],
      ]),
    PATIENCE,
  );
  s3.trouble(() => "fails");
  await world.store.privacy("shop/redact");
  const rows = "SELECT count(*) FROM documents";
  await eventually(async () => expect(await world.sql.count(rows)).toBe(0), PATIENCE);
  await troubled();
  s3.answer();
  await eventually(async () => expect(await objects()).toEqual([]), PATIENCE);
});
