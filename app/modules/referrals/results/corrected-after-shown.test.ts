import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { RELEASE, REVIEWER } from "../../../../test/database/seed.ts";
import { type DatedResult, resultSnapshot } from "../../../../test/database/snapshots.ts";
import { openResult } from "../../access/open-result.ts";
import { gid } from "../../kernel/ids.ts";
import type { ReleasePolicy } from "../../shops/shop.ts";
import { releaseResults } from "../release-result.ts";
import { refetchResult } from "./refetch-result.ts";

const db = await openTestDatabase();
const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
const summary = { biomarkerSummary: { normal: 1, abnormal: 0, critical: 0, total: 1 } };

/** A complete result with one value, which the service tells anew. */
async function start(releasePolicy: ReleasePolicy = "automatic") {
  const { shop, ports, clock, uuids, requestId } = await startCreated(db, {
    settings: { releasePolicy, reviewer: REVIEWER },
  });
  const [referralUuid = ""] = uuids();
  let current = resultSnapshot({ referralUuid, ...summary });
  const [marker] = current.biomarkers;
  if (!marker) throw new Error("The sample has no biomarker");
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const services = { forConnection: async () => ({ ...real, getResult: async () => current }) };
  /** Answers since when its patient is told that it was corrected; undefined while they see nothing. */
  const arrives = async (values: string[], fields: Partial<DatedResult> = {}) => {
    clock.advance(60_000);
    const updatedAt = new Date(Date.parse(current.updatedAt) + 60_000).toISOString();
    const biomarkers = values.map((value) => ({ ...marker, value, formattedValue: value }));
    current = { ...current, updatedAt, biomarkers, ...fields };
    const target = { shop, environment: "staging", uuid: current.uuid } as const;
    await refetchResult({ ...ports, services }, target);
    return seen();
  };
  const seen = async () =>
    (await openResult(ports, { shop, viewer, resultId: current.uuid }))?.correctedAt;
  const release = async () => {
    const wish = { shop, requestId, actor: "staff:7", record: RELEASE } as const;
    await releaseResults(ports, wish);
    return seen();
  };
  /** Turns a bit of what is stored of it, as a disk does. */
  const damage = () =>
    db.pool.query(
      "UPDATE results SET snapshot_sealed = set_byte(snapshot_sealed, 40, get_byte(snapshot_sealed, 40) # 1) WHERE uuid = $1",
      [current.uuid],
    );
  /** How many emails say that something has changed. */
  const changesTold = async () =>
    (
      await db.pool.query(
        "SELECT FROM notifications WHERE request_id = $1 AND occurrence LIKE 'new_figures %'",
        [requestId],
      )
    ).rowCount;
  return { arrives, release, damage, changesTold, now: () => clock.now().toISOString() };
}

test("a result that reads otherwise than it was shown says so, and since when", async () => {
  const { arrives, now } = await start();
  expect(await arrives(["40"])).toBeNull();
  expect(await arrives(["40", "5"])).toBeNull();
  expect(await arrives(["41", "5"])).toBe(now());
  const corrected = now();
  // The same again, and one more, are no correction.
  expect(await arrives(["41", "5", "6"])).toBe(corrected);
});

test("a partial result says that it was corrected when it is completed with another value", async () => {
  const { arrives, now } = await start();
  await arrives(["40"], { status: "PARTIAL" });
  expect(await arrives(["4.0", "5"], { status: "COMPLETE" })).toBe(now());
});

test("says so also after it was reviewed or held in between", async () => {
  const reviewed = await start();
  await reviewed.arrives(["40"]);
  expect(await reviewed.arrives(["40"], { status: "IN_REVIEW" })).toBeUndefined();
  expect(await reviewed.arrives(["41"], { status: "COMPLETE" })).toBe(reviewed.now());

  const held = await start("hold_all");
  await held.arrives(["40"]);
  expect(await held.release()).toBeNull();
  expect(await held.arrives(["41"])).toBeUndefined();
  const corrected = held.now();
  expect(await held.release()).toBe(corrected);
});

test("says nothing of a value that nobody saw", async () => {
  const { arrives, release } = await start("hold_all");
  await arrives(["40"]);
  await arrives(["41"]);
  expect(await release()).toBeNull();
});

test("a result whose copy was damaged before it changed may have been corrected, and says so", async () => {
  const { arrives, damage, changesTold, now } = await start();
  await arrives(["40"]);
  await damage();
  expect(await arrives(["41"])).toBe(now());
  expect(await changesTold()).toBe(1);
});

test("a result whose copy was damaged says nothing while the service has changed nothing", async () => {
  const { arrives, damage, changesTold } = await start();
  const updatedAt = "2026-11-21T01:00:00Z";
  expect(await arrives(["40"], { updatedAt })).toBeNull();
  await damage();
  expect(await arrives(["40"], { updatedAt })).toBeNull();
  expect(await changesTold()).toBe(0);
});

test("a result whose copy was damaged before anybody saw it says nothing", async () => {
  const { arrives, damage, release } = await start("hold_all");
  await arrives(["40"]);
  await damage();
  await arrives(["41"]);
  expect(await release()).toBeNull();
});
