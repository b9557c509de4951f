import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { storeOrder } from "../../../test/database/seed.ts";
import { findCustomerRequest } from "../access/list-requests.ts";
import { isShareOpen } from "../access/open-share.ts";
import { shareResult } from "../access/share-result.ts";
import type { Viewer } from "../access/viewer.ts";
import { hideOwnResults } from "./hide-own-results.ts";
import { openStaffAccess } from "./open-staff-access.ts";
import { readStaffView } from "./read-staff-view.ts";

const db = await openTestDatabase();
const STAFF = "staff:1" as const;
let world: Awaited<ReturnType<typeof startLinked>>;
beforeEach(async () => {
  world = await startLinked(db);
});

async function enterWithCode(): Promise<Viewer> {
  const token = await world.mail("results_available");
  await world.sendCode(await world.enter(token));
  await world.checkCode(await world.enter(token), world.code());
  return world.enter(token);
}
const set = (viewer: Viewer, hide: boolean) =>
  hideOwnResults(world.ports, { shop: world.shop, viewer, requestId: world.id, hide });
const see = (viewer: Viewer) =>
  findCustomerRequest(world.ports, { shop: world.shop, viewer, requestId: world.id });
const rows = async (sql: string) => (await db.pool.query(sql, [world.id])).rows;
const asStaff = { orderId: storeOrder().id, actor: STAFF };
const openAsStaff = () =>
  openStaffAccess(world.ports, {
    ...{ shop: world.shop, requestId: world.id, ...asStaff },
    ...{ reason: "patient_asked", caseNumber: null },
  });
const lookAsStaff = () =>
  readStaffView(world.ports, { shop: world.shop, requestId: world.id, ...asStaff });

describe("consent that is withdrawn after there are results", () => {
  test("hides them from their owner, a doctor and staff, and deletes nothing", async () => {
    const { resultId, report, form } = await world.deliver();
    const viewer = await enterWithCode();
    const shared = await shareResult(world.ports, { shop: world.shop, viewer, resultId });
    if (shared.kind !== "shared") throw new Error(shared.kind);
    const share = { shop: world.shop, token: shared.share.token };
    expect(await isShareOpen(world.ports, share)).toBe(true);
    expect(await openAsStaff()).toEqual({ kind: "opened" });
    expect(await lookAsStaff()).toMatchObject({ kind: "shown" });

    expect(await set(viewer, true)).toBe(true);

    expect(await see(viewer)).toMatchObject({ state: "results_hidden" });
    expect(await see(viewer)).not.toHaveProperty("resultId");
    expect(await world.read(viewer, resultId)).toBe("not found");
    expect(await world.open(viewer, report)).toBe("not found");
    expect(await isShareOpen(world.ports, share)).toBe(false);
    const again = await shareResult(world.ports, { shop: world.shop, viewer, resultId });
    expect(again).toEqual({ kind: "not_found" });
    expect(await lookAsStaff()).toEqual({ kind: "not_found" });
    expect(await openAsStaff()).toEqual({ kind: "nothing_to_show" });
    expect((await see(viewer))?.documents.map(({ id }) => id)).toEqual([form]);
    expect(await rows("SELECT uuid FROM results WHERE request_id = $1")).toHaveLength(1);
    expect(await rows("SELECT id FROM documents WHERE request_id = $1")).toHaveLength(2);
    expect(
      await rows("SELECT results_hidden_at AS at FROM referral_requests WHERE id = $1"),
    ).toEqual([{ at: world.clock.now() }]);
  });

  test("is undone by whoever withdrew it; shared links stay ended; both are written down", async () => {
    const { resultId, report } = await world.deliver();
    const viewer = await enterWithCode();
    const shared = await shareResult(world.ports, { shop: world.shop, viewer, resultId });
    if (shared.kind !== "shared") throw new Error(shared.kind);
    await set(viewer, true);
    expect(await set(viewer, true)).toBe(false);
    expect(await set(viewer, false)).toBe(true);
    expect(await world.read(viewer, resultId)).toBe("opened");
    expect(await world.open(viewer, report)).toBe("opened");
    const share = { shop: world.shop, token: shared.share.token };
    expect(await isShareOpen(world.ports, share)).toBe(false);
    expect(
      await rows(
        "SELECT kind, actor FROM timeline WHERE request_id = $1 AND kind LIKE 'results_%' ORDER BY id",
      ),
    ).toEqual([
      { kind: "results_hidden", actor: "shopper" },
      { kind: "results_shown_again", actor: "shopper" },
    ]);
    expect(
      await rows(
        `SELECT who, what FROM access_log WHERE request_id = $1
         AND what IN ('results_hidden', 'results_shown_again') ORDER BY id`,
      ),
    ).toEqual([
      { who: "link", what: "results_hidden" },
      { who: "link", what: "results_shown_again" },
    ]);
  });

  test("sends no mail that there is something to see", async () => {
    await world.deliver();
    const viewer = await enterWithCode();
    await set(viewer, true);
    const before = world.mails.length;
    await world.mail("results_available");
    expect(world.mails).toHaveLength(before);
    await set(viewer, false);
    // The mail that was due while the results were hidden has had its turn.
    world.clock.advance(11 * 60_000);
    await world.mail("results_available");
    expect(world.mails).toHaveLength(before + 1);
  });

  test("needs the mailed code, results, and somebody who holds the unit", async () => {
    const early = await world.mail("form_ready");
    await world.sendCode(await world.enter(early));
    await world.checkCode(await world.enter(early), world.code());
    expect(await set(await world.enter(early), true)).toBe(false);
    await world.deliver();
    const viewer = await world.enter(await world.mail("results_available"));
    expect(await world.told(set(viewer, true))).toBe("step_up_required");
    expect(await set(world.STRANGER, true)).toBe(false);
    expect(
      await rows("SELECT results_hidden_at AS at FROM referral_requests WHERE id = $1"),
    ).toEqual([{ at: null }]);
  });
});
