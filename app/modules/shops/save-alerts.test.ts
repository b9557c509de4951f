import { expect, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { gid } from "../kernel/ids.ts";
import { createShopEraser } from "../privacy/postgres/shop-eraser.ts";
import { type AlertKind, CONTACT_ID, MAX_RECIPIENTS, readersOf } from "./alert.ts";
import { removeAlertRecipient, saveAlerts } from "./save-alerts.ts";

const db = await openTestDatabase();
const clock = movableClock();
const ports = { tenancy: db.tenancy, clock };
const HERE = "staff:7";

async function open() {
  const shop = await installedShop(db);
  const list = () =>
    db.tenancy.inShop(shop, async (tenant) =>
      readersOf({ contactEmail: "owner@example.com" }, await tenant.alerts.recipients()),
    );
  const add = (email: string, kinds: AlertKind[] = ["outage"]) =>
    saveAlerts(ports, { shop, id: null, wished: { email, kinds }, actor: HERE });
  const changes = () =>
    db.tenancy.inShop(shop, async (tenant) =>
      (await tenant.accessLog.ofShop(10))
        .filter(({ what }) => what === "alerts_changed")
        .map(({ actor, detail }) => ({ actor, ...detail })),
    );
  return { shop, list, add, changes };
}

test("the contact address hears of outages and of what needs attention until somebody chooses otherwise", async () => {
  const { shop, list } = await open();
  expect(await list()).toEqual([
    {
      ...{ id: CONTACT_ID, email: null, address: "owner@example.com" },
      ...{ kinds: ["outage", "attention"], stopped: [] },
    },
  ]);
  const wished = { email: null, kinds: [] };
  await saveAlerts(ports, { shop, id: CONTACT_ID, wished, actor: HERE });
  await removeAlertRecipient(ports, { shop, id: CONTACT_ID, actor: HERE });
  expect(await list()).toMatchObject([{ id: CONTACT_ID, kinds: [] }]);
});

test("an address is sealed at rest, and a change of the list is logged without it", async () => {
  const { shop, add, changes, list } = await open();
  const email = "night.shift@example.com";
  expect(await add(email)).toEqual({ kind: "saved" });
  const id = (await list()).at(-1)?.id ?? "";
  const moved = { email: "day.shift@example.com", kinds: [] };
  await saveAlerts(ports, { shop, id, wished: moved, actor: HERE });
  expect((await list()).at(-1)).toMatchObject({ address: moved.email, kinds: [] });
  await removeAlertRecipient(ports, { shop, id, actor: HERE });
  expect(await list()).toHaveLength(1);
  expect(await changes()).toEqual([
    { actor: HERE, deed: "removed", recipient: id },
    { actor: HERE, deed: "changed", recipient: id, kinds: "" },
    { actor: HERE, deed: "added", recipient: id, kinds: "outage" },
  ]);
  await add(email);
  const { rows } = await db.pool.query<{ text: string }>(
    `SELECT t::text AS text FROM alert_recipients t UNION ALL SELECT t::text FROM access_log t`,
  );
  expect(rows.filter(({ text }) => /shift|7368696674/.test(text))).toEqual([]);
});

test("only managers change the list, and a refusal is logged", async () => {
  const { shop, list } = await open();
  const actor = "staff:3";
  await db.tenancy.inShop(shop, async (tenant) => {
    const member = { staff: actor, name: "Sue Support", isAccountOwner: false };
    await tenant.staff.identify(member, clock.now());
    await tenant.staff.setRole(actor, "support");
  });
  const wished = { email: null, kinds: [] };
  const refused = { kind: "not_allowed", right: "change_policies" };
  expect(await saveAlerts(ports, { shop, id: CONTACT_ID, wished, actor })).toEqual(refused);
  expect(await removeAlertRecipient(ports, { shop, id: CONTACT_ID, actor })).toEqual(refused);
  expect(await list()).toMatchObject([{ kinds: ["outage", "attention"] }]);
  const log = await db.tenancy.inShop(shop, (tenant) => tenant.accessLog.ofShop(10));
  expect(log.map(({ what }) => what)).toEqual(["staff_refused", "staff_refused"]);
});

test("a second tab keeps what the first one saved, and what both changed is told", async () => {
  const { shop, add, list } = await open();
  await add("old@example.com");
  const id = (await list()).at(-1)?.id ?? "";
  const seen = { email: "old@example.com", kinds: ["outage" as const] };
  const save = (wished: { email: string; kinds: AlertKind[] }) =>
    saveAlerts(ports, { shop, id, wished, seen, actor: HERE });
  expect(await save({ ...seen, kinds: [] })).toEqual({ kind: "saved" });
  expect(await save({ ...seen, email: "new@example.com" })).toEqual({ kind: "saved" });
  expect((await list()).at(-1)).toMatchObject({ address: "new@example.com", kinds: [] });
  expect(await save({ ...seen, email: "another@example.com" })).toEqual({
    kind: "changed_meanwhile",
    settings: [{ name: "email", saved: "new@example.com", wished: "another@example.com" }],
    byName: "Mo Manager",
  });
  await removeAlertRecipient(ports, { shop, id, actor: HERE });
  expect(await save({ ...seen, email: "another@example.com" })).toEqual({ kind: "gone" });
});

test("a list has each address once, and an end, however many add at once", async () => {
  const { add, list } = await open();
  const same = await Promise.all([add("pat@example.com"), add("Pat@Example.com")]);
  expect(same.map(({ kind }) => kind).toSorted()).toEqual(["known_address", "saved"]);
  for (let n = 2; n <= MAX_RECIPIENTS; n++) await add(`pat${n}@example.com`);
  expect(await add("late@example.com")).toEqual({ kind: "too_many" });
  expect(await list()).toHaveLength(MAX_RECIPIENTS + 1);
});

test("the list and what was emailed go with the shop", async () => {
  const { shop, add } = await open();
  await add("night@example.com");
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.setContactEmail("owner@example.com");
    const facts = { kind: "webhooks" as const, events: 1, messages: [] };
    const reader = { id: CONTACT_ID, address: "night@example.com" };
    await tenant.alerts.note({ occurrence: "one", facts, reader, at: clock.now() });
    await tenant.alerts.noteAttention(gid("Order", 1001));
    await tenant.shops.uninstall(clock.now());
  });
  const left = async () => {
    const { rows } = await db.pool.query<{ count: number }>(
      `SELECT ((SELECT count(*) FROM alert_recipients WHERE shop = $1)
             + (SELECT count(*) FROM alert_mails WHERE shop = $1)
             + (SELECT count(*) FROM attention_news WHERE shop = $1))::int AS count`,
      [shop],
    );
    return rows[0]?.count;
  };
  expect(await left()).toBe(3);
  const at = clock.now();
  await createShopEraser(db.pool).erase(shop, { askedAt: at, doneAt: at });
  expect(await left()).toBe(0);
});
