import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLedger } from "../../../test/database/ledger.ts";
import { connect, mapVariant } from "../../../test/database/seed.ts";
import { gid } from "../kernel/ids.ts";
import { readSettings } from "../reports/read-settings.ts";
import { savePolicies } from "./save-policies.ts";

const db = await openTestDatabase();
const actor = "staff:7" as const;

async function start() {
  const { shop, ports } = await startLedger(db);
  await connect(db, shop, "production");
  const read = () => readSettings({ ...ports, emailByService: false }, shop);
  const open = async () =>
    (await read()).preflight?.flatMap(({ code, isMet, count }) => (isMet ? [] : [[code, count]]));
  const goLive = async () =>
    savePolicies(ports, {
      shop,
      actor,
      cancelWaiting: null,
      policies: { ...(await read()).policies, environment: "production" },
      clinicalTexts: { version: "1", isAccepted: true },
    });
  const isTested = (outcome: string) =>
    db.tenancy.inShop(shop, (tenant) =>
      tenant.connections.recordTest("production", { at: ports.clock.now(), outcome }),
    );
  return { shop, ports, read, open, goLive, isTested };
}

test("nobody goes live with nothing mapped, or with a connection that does not work", async () => {
  const { shop, goLive, open, read, isTested } = await start();
  expect(await goLive()).toMatchObject({ kind: "not_ready" });
  await isTested("invalid_credentials");
  await mapVariant(db, shop, gid("ProductVariant", 1), { environment: "production" });
  expect(await goLive()).toMatchObject({ kind: "not_ready" });
  expect((await open())?.map(([code]) => code)).toContain("connection");
  expect((await read()).policies.environment).toBe("staging");
  await isTested("ok");
  expect(await goLive()).toEqual({ kind: "saved", cancelled: 0 });
  expect(await read()).toMatchObject({ preflight: null, policies: { environment: "production" } });
});

test("says what is mapped in staging only, and whom patients could not reach", async () => {
  const { shop, open, isTested } = await start();
  await isTested("ok");
  for (const number of [1, 2, 3]) await mapVariant(db, shop, gid("ProductVariant", number));
  await mapVariant(db, shop, gid("ProductVariant", 1), { environment: "production" });
  expect(await open()).toEqual([
    ["mappings_of_staging", 2],
    ["events", null],
    ["clinical_texts", null],
    ["reviewer", null],
    ["contact", null],
    ["help", null],
  ]);
});

test("there is nothing to look at before production is connected", async () => {
  const { ports, shop } = await startLedger(db);
  expect((await readSettings({ ...ports, emailByService: false }, shop)).preflight).toBeNull();
});
