import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { untilWaiting, whoHolds } from "../../../test/database/locks.ts";
import { connect, installedShop } from "../../../test/database/seed.ts";
import { createLogger } from "../../platform/logger.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { disconnect } from "./disconnect.ts";
import { type AskWhoItIs, identifyStaff, type StaffLookups } from "./identify-staff.ts";
import { saveReminders } from "./save-reminders.ts";
import { setStaffRole } from "./set-staff-role.ts";
import { roleOf, type StaffRole } from "./staff-role.ts";

const db = await openTestDatabase();
const OWNER = "staff:1" as const;
const ROBIN = "staff:50" as const;
const STRANGER = "staff:99" as const;
let shop: ShopDomain;
const clock = movableClock();
const ports = { tenancy: db.tenancy, clock, logger: createLogger("silent") };

beforeEach(async () => {
  shop = await installedShop(db);
  await identify(async () => ({ id: "50", name: "Robin Okafor", isAccountOwner: false }));
});

const identify = (ask: AskWhoItIs, staff = ROBIN as string, lookups: StaffLookups = new Map()) =>
  identifyStaff(ports, { shop, staff, ask }, lookups);
const find = (staff: string) => db.tenancy.inShop(shop, (tenant) => tenant.staff.find(staff));
const give = (role: StaffRole, staff: string = ROBIN, actor: `staff:${string}` = OWNER) =>
  setStaffRole(ports, { shop, actor, staff, role });
const saveAs = (actor: `staff:${string}`) =>
  saveReminders(ports, { shop, reminders: { reminderDays: [1], detailsEndDays: 9 }, actor });
const logged = async () => {
  const { rows } = await db.pool.query(
    `SELECT who, actor, actor_name AS name, what, detail FROM access_log WHERE shop = $1 ORDER BY id`,
    [shop],
  );
  return rows;
};

describe("a role", () => {
  test("is support until somebody gives one, and for somebody whom nobody knows", async () => {
    expect(roleOf(await find(ROBIN))).toBe("support");
    expect(roleOf(await find(STRANGER))).toBe("support");
    expect(await saveAs(ROBIN)).toEqual({ kind: "not_allowed", right: "change_policies" });
    expect(await saveAs(STRANGER)).toEqual({ kind: "not_allowed", right: "change_policies" });
  });

  test("lets its member do what it names, and the change names both people", async () => {
    expect(await give("manager")).toEqual({ kind: "saved", name: "Robin Okafor" });
    expect(await saveAs(ROBIN)).toEqual({ kind: "saved" });
    expect(await logged()).toEqual([
      {
        ...{ who: "staff", actor: OWNER, name: "Mo Manager", what: "role_changed" },
        detail: { staff: ROBIN, name: "Robin Okafor", from: "support", to: "manager" },
      },
      {
        ...{ who: "staff", actor: ROBIN, name: "Robin Okafor", what: "reminders_changed" },
        detail: { reminderDays: "2, 5, 10 → 1", detailsEndDays: "21 → 9" },
      },
    ]);
  });

  test("is given by managers alone, to people who are known, and never taken from the owner", async () => {
    await give("reviewer");
    const notAllowed = { kind: "not_allowed", right: "assign_roles" };
    expect(await give("manager", ROBIN, ROBIN)).toEqual(notAllowed);
    expect(await give("manager", ROBIN, STRANGER)).toEqual(notAllowed);
    expect(await give("support", OWNER)).toEqual({ kind: "is_owner" });
    expect(await give("manager", STRANGER)).toEqual({ kind: "not_found" });
    expect(roleOf(await find(ROBIN))).toBe("reviewer");
  });

  test("of another shop means nothing here", async () => {
    await give("manager");
    shop = await installedShop(db);
    expect(await saveAs(ROBIN)).toMatchObject({ kind: "not_allowed" });
  });
});

test("writes a refusal down, and changes nothing", async () => {
  await connect(db, shop);
  expect(await disconnect(ports, { shop, environment: "staging", actor: ROBIN })).toMatchObject({
    kind: "not_allowed",
  });
  expect(await db.tenancy.inShop(shop, (t) => t.connections.find("staging"))).not.toBeNull();
  const detail = { right: "change_credentials", role: "support" };
  expect(await logged()).toMatchObject([
    { actor: ROBIN, name: "Robin Okafor", what: "staff_refused", detail },
  ]);
});

const whoChangesSettings = () =>
  whoHolds(db, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", `settings ${shop}`);

test("leaves the connection with which a colleague goes live at that moment", async () => {
  await connect(db, shop, "production");
  const goingLive = await whoChangesSettings();
  const disconnecting = disconnect(ports, { shop, environment: "production", actor: OWNER });
  await untilWaiting(db, 1, disconnecting);
  await goingLive.change("UPDATE shops SET environment = 'production' WHERE shop = $1", shop);
  await goingLive.end();
  expect(await disconnecting).toEqual({ kind: "in_use" });
  expect(await db.tenancy.inShop(shop, (t) => t.connections.find("production"))).not.toBeNull();
});

test("writes down from which role a member came whom two managers change at once", async () => {
  const other = await whoHolds(
    db,
    "SELECT FROM staff_members WHERE shop = $1 AND staff = $2 FOR UPDATE",
    ...[shop, ROBIN],
  );
  const first = give("manager");
  await untilWaiting(db, 1, first);
  const second = give("reviewer");
  await untilWaiting(db, 2, second);
  await other.end();
  await Promise.all([first, second]);
  const { role } = (await find(ROBIN)) ?? {};
  const changes = (await logged()).map(({ detail }) => `${detail.from} → ${detail.to}`);
  expect(changes.at(-1)).toMatch(new RegExp(`^(manager|reviewer) → ${role}$`));
  expect(changes).toHaveLength(2);
});

test("binds no process and no service", async () => {
  expect(
    await saveReminders(ports, {
      ...{ shop, actor: "pathway" },
      reminders: { reminderDays: [3], detailsEndDays: 9 },
    }),
  ).toEqual({ kind: "saved" });
});

describe("who somebody is", () => {
  test("is asked once a day, follows Shopify, and leaves the role", async () => {
    await give("reviewer");
    const lookups: StaffLookups = new Map();
    let asked = 0;
    const ask = async () => {
      asked++;
      return { id: "50", name: "Robin Okafor-Lee", isAccountOwner: true };
    };
    await identify(ask, ROBIN, lookups);
    expect(asked).toBe(0);
    clock.advance(25 * 3_600_000);
    await identify(ask, ROBIN, lookups);
    await identify(ask, ROBIN, lookups);
    await identify(ask, ROBIN);
    expect(asked).toBe(1);
    expect(await find(ROBIN)).toMatchObject({
      ...{ name: "Robin Okafor-Lee", isAccountOwner: true, role: "reviewer" },
    });
    expect(roleOf(await find(ROBIN))).toBe("manager");
  });

  test.each<[string, AskWhoItIs]>([
    ["does not know them", async () => null],
    ["does not answer", async () => Promise.reject(new Error("down"))],
    ["names somebody else", async () => ({ id: "1", name: "Mo", isAccountOwner: true })],
  ])("stays unknown while Shopify %s", async (_, ask) => {
    const staff = `staff:${randomUUID().replaceAll(/\D/g, "")}`;
    await identify(ask, staff);
    expect(await find(staff)).toBeNull();
  });
});
