import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLedger } from "../../../test/database/ledger.ts";
import { describeConflicts, describeSettingChange } from "../reports/change-words.ts";
import { saveReminders } from "../shops/save-reminders.ts";
import { type ConnectionInput, type SeenConnection, saveConnection } from "./save-connection.ts";

const db = await openTestDatabase();
const environment = "staging" as const;
const [HERE, THERE] = ["staff:7", "staff:8"] as const;
let ledger: Awaited<ReturnType<typeof startLedger>>;

beforeEach(async () => {
  ledger = await startLedger(db);
  await db.tenancy.inShop(ledger.shop, async (tenant) => {
    for (const [staff, name] of [
      [HERE, "Ngaire Walker"],
      [THERE, "Tom Lee"],
    ] as const)
      await tenant.staff.identify({ isAccountOwner: true, name, staff }, ledger.clock.now());
  });
  const signing = { scheme: "standard-webhooks", header: null, secret: null } as const;
  const input = { environment, signing, ...client("first") };
  await saveConnection(ledger.ports, { shop: ledger.shop, input, actor: HERE });
});

const find = () => db.tenancy.inShop(ledger.shop, (t) => t.connections.find(environment));
/** The values that a tab shows which is opened now. */
async function open(): Promise<SeenConnection> {
  const found = await find();
  if (!found) throw new Error("it is gone");
  const { clientId, signingScheme, signingHeader } = found;
  return {
    ...{ clientId, signingScheme, signingHeader },
    clientSecret: found.credentialsAt?.toISOString() ?? null,
    signingSecret: found.signingSecretAt?.toISOString() ?? null,
  };
}
type Change = Partial<ConnectionInput["signing"]> & Pick<Partial<ConnectionInput>, "credentials">;
function save(actor: typeof HERE | typeof THERE, seen: SeenConnection, change: Change) {
  ledger.clock.advance(1000);
  const { credentials = null, ...signing } = change;
  const { signingScheme: scheme, signingHeader: header } = seen;
  const input = { environment, credentials, signing: { scheme, header, secret: null, ...signing } };
  return saveConnection(ledger.ports, { shop: ledger.shop, input, seen, actor });
}
const client = (clientSecret: string, clientId = "client") => ({
  credentials: { clientId, clientSecret },
});

test("a second tab keeps what the first one saved of the other fields", async () => {
  const seen = await open();
  expect(await save(HERE, seen, { scheme: "hmac-hex", header: "X-One" })).toMatchObject({
    kind: "saved",
  });
  expect(await save(THERE, seen, { secret: "signing" })).toMatchObject({ kind: "saved" });
  expect(await find()).toMatchObject({
    ...{ signingScheme: "hmac-hex", signingHeader: "X-One", hasSigningSecret: true },
  });
});

test("a field that both changed is told with both values, and nothing is saved", async () => {
  const seen = await open();
  await save(HERE, seen, { header: "X-One" });
  const outcome = await save(THERE, seen, { header: "X-Two", secret: "signing" });
  expect(outcome).toEqual({
    kind: "changed_meanwhile",
    settings: [{ name: "signingHeader", saved: "X-One", wished: "X-Two" }],
    byName: "Ngaire Walker",
  });
  expect(outcome.kind === "changed_meanwhile" && describeConflicts(outcome.settings)).toBe(
    "signing header (now X-One, yours X-Two)",
  );
  expect(await find()).toMatchObject({ signingHeader: "X-One", hasSigningSecret: false });
});

test.each([
  ["signing secrets", { secret: "one" }, { secret: "two" }, "signing secret"],
  ["client secrets", client("one"), client("two"), "client secret"],
])("of two new %s the second is refused, and neither is shown", async (_, one, two, words) => {
  const seen = await open();
  expect(await save(HERE, seen, one)).toMatchObject({ kind: "saved" });
  const outcome = await save(THERE, seen, two);
  if (outcome.kind !== "changed_meanwhile") throw new Error(outcome.kind);
  expect(describeConflicts(outcome.settings).split(", ")).toContain(words);
  expect(JSON.stringify(outcome)).not.toMatch(/one|two/);
  // A person who has seen the stored values may change them.
  expect(await save(THERE, await open(), two)).toMatchObject({ kind: "saved" });
});

test("former secrets are not ended by who did not see which those are", async () => {
  await save(HERE, await open(), { secret: "leaked" });
  const seen = await open();
  await save(THERE, seen, { secret: "new" });
  expect(await save(HERE, seen, { endFormer: true })).toMatchObject({
    ...{ kind: "changed_meanwhile", byName: "Tom Lee" },
  });
  expect(await find()).toMatchObject({ previousSecretUntil: expect.any(Date) });
  expect(await save(HERE, await open(), { endFormer: true })).toMatchObject({ kind: "saved" });
  expect(await find()).toMatchObject({ hasSigningSecret: true, previousSecretUntil: null });
  const [latest] = await db.tenancy.inShop(ledger.shop, (t) => t.accessLog.ofShop(1));
  expect(latest && describeSettingChange(latest)).toBe(
    "Ngaire Walker changed former signing secrets (ended) for staging",
  );
});

/** Nobody can say when two transactions meet. */
const ROUNDS = [1, 2, 3, 4, 5];

describe("of two who save at the same moment", () => {
  const reminders = async () => {
    const found = await db.tenancy.inShop(ledger.shop, (t) => t.shops.find());
    if (!found) throw new Error("it is gone");
    const { reminderDays, detailsEndDays } = found;
    return { reminderDays, detailsEndDays };
  };

  test("each keeps the field that the other one left alone", async () => {
    for (const round of ROUNDS) {
      const seen = await reminders();
      const [one, other] = [
        { ...seen, reminderDays: [round] },
        { ...seen, detailsEndDays: 20 + round },
      ];
      const wish = { shop: ledger.shop, seen };
      await Promise.all([
        saveReminders(ledger.ports, { ...wish, reminders: one, actor: HERE }),
        saveReminders(ledger.ports, { ...wish, reminders: other, actor: THERE }),
      ]);
      expect(await reminders()).toEqual({ reminderDays: [round], detailsEndDays: 20 + round });
    }
  });

  test("one is told that the other changed the same field", async () => {
    for (const round of ROUNDS) {
      const seen = await reminders();
      const wishes = [HERE, THERE].map((actor, number) => ({
        ...{ shop: ledger.shop, seen, actor },
        reminders: { ...seen, detailsEndDays: 2 * round + number + 20 },
      }));
      const outcomes = await Promise.all(wishes.map((wish) => saveReminders(ledger.ports, wish)));
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["changed_meanwhile", "saved"]);
      const won = outcomes.findIndex(({ kind }) => kind === "saved");
      expect(await reminders()).toEqual(wishes[won]?.reminders);
    }
  });

  test("one is told that the other changed the credentials", async () => {
    for (const round of ROUNDS) {
      const seen = await open();
      const outcomes = await Promise.all([
        save(HERE, seen, client("one", `client-${round}`)),
        save(THERE, seen, client("two", `client-${round}-2`)),
      ]);
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["changed_meanwhile", "saved"]);
    }
  });
});
