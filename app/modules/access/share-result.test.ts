import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { sayAccess } from "./access-words.ts";
import { listAccesses } from "./list-accesses.ts";
import { isShareOpen, openShare, openSharedReport, reopenShare } from "./open-share.ts";
import { endShare, listShares, type OwnShare, shareResult } from "./share-result.ts";
import type { Viewer } from "./viewer.ts";

const HOUR_MS = 3_600_000;
const db = await openTestDatabase();
let world: Awaited<ReturnType<typeof startLinked>>;
let owner: Viewer;
let resultId: string;
let report: string;

beforeEach(async () => {
  world = await startLinked(db);
  ({ resultId, report } = await world.deliver());
  const token = await world.mail("results_available");
  await world.sendCode(await world.enter(token));
  await world.checkCode(await world.enter(token), world.code());
  owner = await world.enter(token);
});

const scope = () => ({ shop: world.shop, viewer: owner });
async function share(days?: number): Promise<OwnShare> {
  const outcome = await shareResult(world.ports, { ...scope(), resultId, days });
  return outcome.kind === "shared" ? outcome.share : expect.unreachable(outcome.kind);
}
const at = ({ token }: OwnShare) => ({ shop: world.shop, token });
const open = (one: OwnShare, passcode = one.passcode) =>
  openShare(world.ports, { ...at(one), passcode });
const isOpen = (one: OwnShare) => isShareOpen(world.ports, at(one));
const wrong = ({ passcode }: OwnShare) =>
  String((Number(passcode) + 1) % 100_000_000).padStart(8, "0");

test("shows one result and its report with the passcode, and writes each look down", async () => {
  const one = await share();
  expect(one.passcode).toMatch(/^\d{8}$/);
  const opened = await open(one, `${one.passcode.slice(0, 4)} ${one.passcode.slice(4)}`);
  if (opened.kind !== "opened") return expect.unreachable(opened.kind);
  expect(opened.shared).toMatchObject({ view: { id: resultId }, report: { id: report } });
  const { visit } = opened;
  expect(await reopenShare(world.ports, { ...at(one), visit })).toMatchObject({
    report: { id: report },
  });
  const pdf = await openSharedReport(world.ports, { ...at(one), visit, documentId: report });
  expect(pdf?.pdf.toString()).toBe("%PDF-1.7 result");
  const [listed] = await listShares(world.ports, scope());
  expect(listed).toMatchObject({ id: one.id, passcode: one.passcode, opens: [{}, {}] });
  const seen = (await listAccesses(world.ports, scope())).map(({ who, what }) => `${who} ${what}`);
  expect(seen.slice(0, 4)).toEqual([
    ...["share report_opened", "share share_opened", "share share_opened", "link share_created"],
  ]);
});

test("neither a pause nor a doctor's visit of before the clock was set back goes on", async () => {
  world.clock.advance(72 * HOUR_MS);
  const [paused, visited] = [await share(), await share()];
  for (let n = 0; n < 4; n++) expect(await open(paused, wrong(paused))).toEqual({ kind: "wrong" });
  expect(await open(paused, wrong(paused))).toMatchObject({ kind: "paused" });
  const opened = await open(visited);
  if (opened.kind !== "opened") return expect.unreachable(opened.kind);
  world.clock.advance(-72 * HOUR_MS);
  expect(await open(paused)).toMatchObject({ kind: "opened" });
  const { visit } = opened;
  expect(await reopenShare(world.ports, { ...at(visited), visit })).toBeNull();
  expect(await open(visited)).toMatchObject({ kind: "opened" });
});

test("reads no shares that were ended, however many an owner has made and ended", async () => {
  const one = await share();
  expect(await endShare(world.ports, { ...scope(), shareId: one.id })).toBe(true);
  const kept = await share();
  const read = await db.tenancy.inShop(world.shop, (tenant) =>
    tenant.shares.forRequests([world.id]),
  );
  expect(read.map(({ id }) => id)).toEqual([kept.id]);
});

test("writes a wrong passcode down, for the owner and for the shop to see", async () => {
  const one = await share();
  expect(await open(one, wrong(one))).toEqual({ kind: "wrong" });
  const [seen] = await listAccesses(world.ports, scope());
  if (!seen) return expect.unreachable();
  expect(seen).toMatchObject({ who: "share", what: "code_refused", requestId: world.id });
  expect(sayAccess(seen)).toBe("Somebody with a shared link entered a wrong passcode");
  const { rows } = await db.pool.query(
    "SELECT who, what, subject_id FROM access_log WHERE shop = $1 AND what = 'code_refused'",
    [world.shop],
  );
  expect(rows).toEqual([{ who: "share", what: "code_refused", subject_id: one.id }]);
});

test("opens no other document, and nothing with a proof of another share or of an earlier time", async () => {
  const [one, other] = [await share(), await share()];
  const opened = await open(one);
  if (opened.kind !== "opened") return expect.unreachable(opened.kind);
  const { visit } = opened;
  const { form } = await world.deliver(world.other);
  for (const documentId of [form, "6f9619ff-8b86-4011-b42d-00c04fc964ff"])
    expect(await openSharedReport(world.ports, { ...at(one), visit, documentId })).toBeNull();
  expect(await reopenShare(world.ports, { ...at(other), visit })).toBeNull();
  world.clock.advance(3 * HOUR_MS);
  expect(await reopenShare(world.ports, { ...at(one), visit })).toBeNull();
});

test("counts nothing that cannot be a passcode, as a program posts it that looks before people do", async () => {
  const one = await share();
  for (let n = 0; n < 25; n++)
    for (const typed of ["", "1234", "Null", "%PDF"])
      expect(await open(one, typed)).toEqual({ kind: "malformed" });
  const wide = [...one.passcode].map((digit) => String.fromCharCode(0xff10 + Number(digit)));
  expect(await open(one, wide.join(""))).toMatchObject({ kind: "opened" });
});

test("limits the tries for everybody who has the link, and ends when somebody guesses on", async () => {
  const one = await share();
  for (let round = 1; round <= 4; round++) {
    for (let count = 1; count < 5; count++)
      expect(await open(one, wrong(one))).toEqual({ kind: "wrong" });
    expect(await open(one, wrong(one))).toMatchObject({ kind: "paused" });
    if (round === 4) break;
    expect(await open(one)).toMatchObject({ kind: "paused" });
    world.clock.advance(HOUR_MS + 1);
  }
  expect(await open(one)).toEqual({ kind: "gone" });
  expect(await listShares(world.ports, scope())).toEqual([]);
});

describe("a share ends", () => {
  const set = (sql: string) => db.pool.query(sql);
  test.each([
    ["when its result is held again", "UPDATE results SET released_at = NULL"],
    [
      "when its result was released anew",
      "UPDATE results SET released_at = now() + interval '1 s'",
    ],
    ["when its result is deleted", "UPDATE results SET deleted_at = now()"],
    ["when its result is another person's", "UPDATE results SET other_person = true"],
    ["when its unit is somebody else's", "UPDATE referral_requests SET owner = 'patient'"],
    [
      "when its unit is in another account",
      "UPDATE referral_requests SET customer_id = 'gid://shopify/Customer/99'",
    ],
    ["when its unit is cancelled", "UPDATE referral_requests SET state = 'cancelled'"],
    ["when its owner hides the results", "UPDATE referral_requests SET results_hidden_at = now()"],
    [
      "when its result turns out to be of another unit",
      "UPDATE results SET request_id = (SELECT id FROM referral_requests AS other WHERE other.shop = results.shop AND other.id <> results.request_id LIMIT 1)",
    ],
    ["when the shop removes the app", "UPDATE shops SET uninstalled_at = now()"],
    ["when it is erased", "DELETE FROM result_shares"],
  ])("%s", async (_, change) => {
    const one = await share();
    expect(await isOpen(one)).toBe(true);
    await set(change);
    expect(await isOpen(one)).toBe(false);
    expect(await open(one)).toEqual({ kind: "gone" });
  });

  test("after its days, and at once when its owner ends it", async () => {
    const [one, other] = [await share(1), await share()];
    world.clock.advance(25 * HOUR_MS);
    expect(await isOpen(one)).toBe(false);
    expect(await isOpen(other)).toBe(true);
    // The session of the link has ended by then; the owner comes back.
    await db.pool.query("UPDATE patient_sessions SET expires_at = now() + interval '9 years'");
    expect(await endShare(world.ports, { ...scope(), shareId: other.id })).toBe(true);
    expect(await endShare(world.ports, { ...scope(), shareId: other.id })).toBe(false);
    expect(await open(other)).toEqual({ kind: "gone" });
  });
});

test("is for the owner alone, with the mailed code, and only once the result is released", async () => {
  const one = await share();
  const make = (viewer: Viewer) => shareResult(world.ports, { shop: world.shop, viewer, resultId });
  const stranger = await make(world.STRANGER);
  expect(stranger).toEqual({ kind: "not_found" });
  const end = { shop: world.shop, viewer: world.STRANGER, shareId: one.id };
  expect(await endShare(world.ports, end)).toBe(false);
  const again = await world.enter(await world.mail("results_available"));
  expect(await world.told(make(again))).toBe("step_up_required");
  const listed = listShares(world.ports, { shop: world.shop, viewer: again });
  expect(await world.told(listed)).toBe("step_up_required");
  expect(await isOpen(one)).toBe(true);
  await db.pool.query("UPDATE results SET released_at = NULL");
  expect(await make(owner)).toEqual({ kind: "not_found" });
});

test("is made once of a form whose button is pressed twice", async () => {
  const id = randomUUID();
  const make = () => shareResult(world.ports, { ...scope(), resultId, id });
  const made = await Promise.all([make(), make()]);
  expect(made.map(({ kind }) => kind).toSorted()).toEqual(["made_before", "shared"]);
  expect((await listShares(world.ports, scope())).map((one) => one.id)).toEqual([id]);
  expect(await endShare(world.ports, { ...scope(), shareId: id })).toBe(true);
  expect(await make()).toEqual({ kind: "made_before" });
  expect(await listShares(world.ports, scope())).toEqual([]);
});

test("is not said to be made under an id that another result's share has", async () => {
  const { id } = await share();
  await db.pool.query("UPDATE result_shares SET result_uuid = $1 WHERE id = $2", [
    randomUUID(),
    id,
  ]);
  const outcome = await shareResult(world.ports, { ...scope(), resultId, id });
  expect(outcome).toEqual({ kind: "not_found" });
});

test.each([0, 91, 1.5, Number.NaN])("is not made for %s days", async (days) => {
  const outcome = await shareResult(world.ports, { ...scope(), resultId, days });
  expect(outcome).toEqual({ kind: "invalid" });
});
