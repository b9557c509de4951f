import { beforeEach, expect, test } from "vitest";
import { movableClock, START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { saveNotice } from "./save-notice.ts";

const db = await openTestDatabase();
const ports = { tenancy: db.tenancy, clock: movableClock() };
const NOTICE = {
  recipient: "Example Pathology Pty Ltd",
  sendsOverseas: true,
  countries: "New Zealand",
  policyUrl: "https://example.com/privacy",
  complaints: "privacy@example.com",
};
const CHANGED = Object.fromEntries(Object.keys(NOTICE).map((name) => [name, "changed"]));
let shop: ShopDomain;
beforeEach(async () => {
  shop = await installedShop(db);
});

const save = (actor: `staff:${string}`) => saveNotice(ports, { shop, notice: NOTICE, actor });
const rows = async (sql: string) => (await db.pool.query(sql, [shop])).rows;
const stored = () =>
  rows(`SELECT notice_recipient, notice_overseas, notice_countries, notice_policy_url, notice_complaints
        FROM shops WHERE shop = $1`);
const logged = () =>
  rows("SELECT who, actor, what, detail FROM access_log WHERE shop = $1 ORDER BY id");

test("keeps what the notice says, and logs who changed it once, without the words", async () => {
  expect(await save("staff:1")).toEqual({ kind: "saved" });
  expect(await save("staff:1")).toEqual({ kind: "saved" });
  expect(await stored()).toEqual([
    {
      notice_recipient: NOTICE.recipient,
      notice_overseas: true,
      notice_countries: "New Zealand",
      notice_policy_url: NOTICE.policyUrl,
      notice_complaints: NOTICE.complaints,
    },
  ]);
  expect(await logged()).toEqual([
    { who: "staff", actor: "staff:1", what: "policies_changed", detail: CHANGED },
  ]);
});

test("two people at once: answers of one stay when the other saves others, and the same answer is told", async () => {
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.staff.identify({ staff: "staff:1", name: "Ngaire Walker", isAccountOwner: true }, START),
  );
  const seen = {
    ...{ recipient: null, sendsOverseas: null, countries: null },
    ...{ policyUrl: null, complaints: null },
  };
  const wish = { shop, seen };
  const first = { ...seen, recipient: "Example Pathology Pty Ltd" };
  await saveNotice(ports, { ...wish, notice: first, actor: "staff:1" });
  const second = { ...seen, complaints: "privacy@example.com" };
  expect(await saveNotice(ports, { ...wish, notice: second, actor: "staff:2" })).toEqual({
    kind: "saved",
  });
  const both = {
    notice_recipient: first.recipient,
    notice_complaints: second.complaints,
  };
  expect(await stored()).toMatchObject([both]);
  const other = { ...seen, recipient: "Another Laboratory" };
  expect(await saveNotice(ports, { ...wish, notice: other, actor: "staff:2" })).toEqual({
    kind: "changed_meanwhile",
    settings: [
      { name: "recipient", saved: "Example Pathology Pty Ltd", wished: "Another Laboratory" },
    ],
    byName: "Ngaire Walker",
  });
  expect(await stored()).toMatchObject([both]);
});

test("is refused to somebody who may not change settings, and says so in the log", async () => {
  expect(await save("staff:99")).toEqual({ kind: "not_allowed", right: "change_policies" });
  expect(await stored()).toMatchObject([{ notice_recipient: null, notice_overseas: null }]);
  expect(await logged()).toMatchObject([{ actor: "staff:99", what: "staff_refused" }]);
});
