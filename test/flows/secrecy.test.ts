import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { eventually, type PatientDetails, startWorld, type TestWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { goShopping, only } from "./shopping.ts";

let world: TestWorld;
let folder: string;
beforeAll(async () => {
  // The world keeps what its processes say below the folder for temporary files.
  folder = await mkdtemp(join(tmpdir(), "pathway-secrecy-"));
  await chmod(folder, 0o711);
  world = await startWorld({ env: { TMPDIR: folder, LOG_LEVEL: "trace" } });
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** Nobody else in the world has anything of this. */
const patient: PatientDetails = {
  firstName: "Quillanette",
  lastName: "Zyxwarbler",
  email: "zyxwarbler.canary@example.com",
  phone: "0491570156",
  dob: "1971-07-23",
  gender: "female",
  address: {
    addressLine1: "77 Xanthorrhoea Crescent",
    city: "Brunswick",
    state: "VIC",
    postCode: "3056",
    country: "Australia",
  },
  consent: true,
  medicareCardNumber: "2123456701",
};
const buyerNames = { firstName: "Umberleigh", lastName: "Vexillologist" };

test("neither the database nor the logs tell who a patient is or what was found", async () => {
  const shopping = goShopping(world);
  const buyer = await shopping.newShopper(buyerNames);
  const order = await shopping.buy(buyer, [[shopping.product("medicare").variantId, 1]]);
  const asked = await shopping.requestsWhen(order, 1);
  // One refusal on the way: what somebody typed must not be quoted either.
  const faulty = { ...patient, phone: "0491570156777" };
  await expect(buyer.api.giveDetails(only(asked).id, faulty)).rejects.toThrow(/422/);
  await shopping.giveDetails(buyer, asked, patient);
  const [referral] = await eventually(() => oneReferralEach(world, asked));
  await world.console.sendResults(referral?.uuid ?? "", { abnormal: true, critical: true });
  const done = await eventually(async () => {
    const own = only(await buyer.api.requests());
    expect(own.state).toBe("results_ready");
    return own;
  });
  const { categories } = resultSchema.parse(await buyer.api.result(done.resultId ?? ""));
  const biomarkers = categories.flatMap((category) => category.biomarkers);
  expect(biomarkers.length).toBeGreaterThan(0);

  const canaries = [
    patient.firstName,
    patient.lastName,
    patient.email,
    patient.phone,
    // However the number is written.
    patient.phone.slice(1),
    patient.dob,
    patient.address.addressLine1,
    patient.medicareCardNumber ?? "",
    buyerNames.firstName,
    buyerNames.lastName,
    buyer.email,
    // Shorter ones could be met by chance.
    ...biomarkers.map(({ formattedValue }) => formattedValue).filter(({ length }) => length > 5),
  ];
  const rows = await everyRow();
  const logs = await everyLog();
  // What is no secret is there: these are the right rows and the right logs, and the search finds things.
  expect(foundIn(rows, [only(asked).referenceNumber])).not.toEqual([]);
  expect(foundIn(logs, [only(asked).id])).not.toEqual([]);
  expect(foundIn(rows, canaries)).toEqual([]);
  expect(foundIn(logs, canaries)).toEqual([]);
});

const resultSchema = z.object({
  categories: z.array(
    z.object({
      biomarkers: z.array(z.object({ formattedValue: z.string() })),
    }),
  ),
});

type Place = { where: string; text: string };

/** Every row of every table of the app and of its job engine, as text. */
async function everyRow(): Promise<Place[]> {
  const tables = await world.sql.rows(
    z.object({ name: z.string() }),
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const places: Place[] = [];
  for (const { name } of tables) {
    const rows = await world.sql.rows(
      z.object({ text: z.string() }),
      `SELECT t::text AS text FROM ${name} AS t`,
    );
    places.push(...rows.map(({ text }) => ({ where: name, text })));
  }
  return places;
}

/** What the app's processes have said. */
async function everyLog(): Promise<Place[]> {
  const worlds = (await readdir(folder)).filter((name) => name.startsWith("pathway-world-"));
  const file = join(folder, only(worlds), "logs", "app.log");
  return [{ where: "app.log", text: await readFile(file, "utf8") }];
}

/** Where something of it is written, in clear or only encoded. */
function foundIn(places: Place[], canaries: string[]): string[] {
  const disguises = canaries.flatMap((canary) => [
    { canary, as: canary.toLowerCase() },
    { canary, as: JSON.stringify(canary).slice(1, -1).toLowerCase() },
    { canary, as: Buffer.from(canary).toString("hex") },
    { canary, as: Buffer.from(canary).toString("base64").replace(/=+$/, "").toLowerCase() },
    { canary, as: encodeURIComponent(canary).toLowerCase() },
  ]);
  return places.flatMap(({ where, text }) => {
    const lower = text.toLowerCase();
    return disguises
      .filter(({ as }) => lower.includes(as))
      .map(({ canary }) => `${where}: ${canary}`);
  });
}
