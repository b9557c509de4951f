import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { installedShop, PATIENT, readyRequest } from "../../test/database/seed.ts";
import type { AccessKind } from "../modules/kernel/access-log.ts";
import { gid, type ShopDomain } from "../modules/kernel/ids.ts";
import { CommandError } from "./open-command.ts";
import { runAffected } from "./run-affected.ts";

const db = await openTestDatabase();
let shop: ShopDomain;
let first: string;
let second: string;

beforeEach(async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  shop = await installedShop(db);
  first = await readyRequest(db, shop, { orderNumber: 1 });
  second = await readyRequest(db, shop, { orderNumber: 2 });
  await look(first, "2026-03-01T10:00:00Z", "staff:1", "results_unlocked");
  await look(first, "2026-03-01T10:01:00Z", "staff:1", "result_viewed");
  await look(second, "2026-03-02T10:00:00Z", "staff:2", "result_viewed");
  await look(second, "2026-03-09T10:00:00Z", "staff:1", "staff_refused");
});

const look = (requestId: string, at: string, actor: string, what: AccessKind) =>
  db.tenancy.inShop(shop, (tenant) =>
    tenant.accessLog.add({ at: new Date(at), who: "staff", actor, what, requestId }),
  );

async function affected(...args: string[]) {
  const lines: string[] = [];
  const given = ["--database-url", db.url, "--shop", shop, ...args];
  expect(await runAffected(given, (line) => lines.push(line))).toBe(0);
  return parse(lines.join("\n"), { columns: true }) as Record<string, string>[];
}

/** The folder of keys as an installation has it: this database's keys lie in a part of it. */
async function installedKeyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pathway-installed-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { rows } = await db.pool.query<{ identity: string }>(
    `INSERT INTO key_store (identity) VALUES ($1)
     ON CONFLICT ("only") DO UPDATE SET identity = key_store.identity RETURNING identity`,
    [randomUUID()],
  );
  const identity = rows[0]?.identity ?? "";
  await db.epochs.store.put("identity", Buffer.from(identity));
  await symlink(db.epochs.store.place, join(folder, identity));
  return folder;
}

test("lists each test once, with how often, what, by whom and when, and nobody's name", async () => {
  const rows = await affected("--since", "2026-03-01");
  expect(rows).toMatchObject([
    {
      ...{ request_id: first, accesses: "2", what: "result_viewed results_unlocked" },
      ...{ who: "staff:1", first: "2026-03-01T10:00:00Z", last: "2026-03-01T10:01:00Z" },
    },
    { request_id: second, accesses: "1", who: "staff:2" },
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/Citizen|ada@/);
});

test("keeps to the time and the person that were asked for", async () => {
  const ids = async (...args: string[]) => (await affected(...args)).map((row) => row.request_id);
  expect(await ids("--since", "2026-03-02T00:00:00Z")).toEqual([second]);
  expect(await ids("--since", "2026-03-01", "--until", "2026-03-02")).toEqual([first]);
  expect(await ids("--since", "2026-03-01", "--actor", "staff:2")).toEqual([second]);
  expect(await ids("--since", "2026-03-01", "--who", "share")).toEqual([]);
  expect(await ids("--since", "2026-03-05")).toEqual([]);
});

test("writes contact details to a file of the operator's own, and each look to the log", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pathway-affected-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "contacts.json");
  const contacts = ["--since", "2026-03-02", "--contacts", file];
  vi.stubEnv("PATHWAY_MASTER_KEYS", "");
  await expect(affected(...contacts)).rejects.toThrow("PATHWAY_MASTER_KEYS");
  vi.stubEnv("PATHWAY_MASTER_KEYS", db.masterKeysText);
  vi.stubEnv("PATHWAY_KEY_DIR", await installedKeyFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  await affected(...contacts);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual([
    { requestId: second, name: "Ada Citizen", email: "ada@example.com", phone: "0412345678" },
  ]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { rows } = await db.pool.query(
    "SELECT who, what FROM access_log WHERE shop = $1 ORDER BY id DESC LIMIT 1",
    [shop],
  );
  expect(rows).toEqual([{ who: "operator", what: "details_viewed" }]);
});

test("refuses a file that is there already, or cannot be made, in one sentence and before anything is opened", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pathway-affected-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "contacts.json");
  await writeFile(file, "of another day");
  vi.stubEnv("PATHWAY_MASTER_KEYS", db.masterKeysText);
  vi.stubEnv("PATHWAY_KEY_DIR", await installedKeyFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [path, code] of [
    [file, "EEXIST"],
    [join(folder, "nowhere", "contacts.json"), "ENOENT"],
  ] as const)
    await expect(affected("--since", "2026-03-02", "--contacts", path)).rejects.toThrow(
      new CommandError(
        `${path} cannot be written (${code}): name a new file in a folder that is there.`,
      ),
    );
  expect(await readFile(file, "utf8")).toBe("of another day");
  const { rows } = await db.pool.query(
    "SELECT count(*)::int AS n FROM access_log WHERE shop = $1 AND what = 'details_viewed'",
    [shop],
  );
  expect(rows).toEqual([{ n: 0 }]);
});

test("lists saved patients whose details were opened, and how to reach them", async () => {
  const customerId = gid("Customer", 7);
  const saved = { id: randomUUID(), patient: { ...PATIENT, lastName: "Walsh" }, medicare: null };
  const gone = randomUUID();
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.savedPatients.add(customerId, saved, new Date("2026-03-20T10:00:00Z"));
    const deed = { who: "customer", what: "saved_patient_viewed" } as const;
    const at = (time: string) => new Date(`2026-03-20T${time}Z`);
    await tenant.accessLog.add(
      { ...deed, subjectId: saved.id, at: at("10:00:00") },
      { ...deed, subjectId: saved.id, at: at("11:00:00") },
      { ...deed, subjectId: gone, at: at("12:00:00") },
    );
  });
  const folder = await mkdtemp(join(tmpdir(), "pathway-affected-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "contacts.json");
  vi.stubEnv("PATHWAY_MASTER_KEYS", db.masterKeysText);
  vi.stubEnv("PATHWAY_KEY_DIR", await installedKeyFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const kept = { request_id: "", order: "", who: "customer", what: "saved_patient_viewed" };
  expect(await affected("--since", "2026-03-10", "--contacts", file)).toMatchObject([
    {
      ...{ ...kept, saved_patient_id: saved.id, customer_id: customerId },
      ...{ accesses: "2", first: "2026-03-20T10:00:00Z", last: "2026-03-20T11:00:00Z" },
    },
    { ...kept, saved_patient_id: gone, customer_id: "", accesses: "1" },
  ]);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual([
    {
      ...{ savedPatientId: saved.id, name: "Ada Walsh" },
      ...{ email: "ada@example.com", phone: "0412345678" },
    },
  ]);
});

test("writes down that it was run, and refuses a call without a shop or a time", async () => {
  await affected("--since", "2026-03-01");
  const { rows } = await db.pool.query(
    `SELECT detail->>'command' AS command, detail->>'shop' AS shop FROM access_log
     WHERE shop = 'installation' ORDER BY id DESC LIMIT 1`,
  );
  expect(rows).toEqual([{ command: "affected", shop }]);
  for (const args of [
    ["--shop", shop],
    ["--since", "2026-03-01"],
    ["--shop", shop, "--since", "soon"],
  ])
    await expect(runAffected(args, () => {})).rejects.toThrow("npm run affected");
});

test("a shop that nobody knows here is no breach that reached nobody", async () => {
  const say = vi.fn<(line: string) => void>();
  const given = ["--database-url", db.url, "--since", "2026-03-01"];
  await expect(runAffected([...given, "--shop", "typo.myshopify.com"], say)).rejects.toThrow(
    /^Nothing is known of typo\.myshopify\.com here/,
  );
  expect(say).not.toHaveBeenCalled();
});

test.each([
  ["--since", "2026-03-02", "--until", "2026-03-01"],
  ["--since", "2999-01-01"],
])("a time in which nothing can have happened is refused: %s %s %s %s", async (...args) => {
  await expect(
    runAffected(["--database-url", db.url, "--shop", shop, ...args], () => {}),
  ).rejects.toThrow(/^Nothing can have happened/);
});
