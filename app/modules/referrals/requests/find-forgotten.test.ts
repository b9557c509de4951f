/** A unit that is ordered again after an answer got lost: nothing is sent before the service's list was searched. */
import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../../test/database/ledger.ts";
import { wireReferral } from "../../../clients/referral-service/testing/wire-samples.ts";
import { describeAttention } from "../../reports/attention-words.ts";
import { REPORTING_GRACE_MS } from "../create-referral.ts";
import { resumeWork } from "../resume-work.ts";
import { findForgotten } from "./find-forgotten.ts";

const db = await openTestDatabase();

/** A unit whose first answer got lost, which was sent once more, failed, and is ordered again. */
async function start() {
  const created = await startCreated(db, { behaviour: "late" });
  return { ...created, ...(await orderAgain(created)) };
}

async function orderAgain(created: Awaited<ReturnType<typeof startCreated>>) {
  const { clock, create, resolve } = created;
  clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  for (const kind of ["scan_again", "resend"]) expect(await resolve()).toMatchObject({ kind });
  expect(await create()).toMatchObject({ kind: "created" });
  clock.advance(60_000);
  await created.become({ status: "BILLING_FAILED" });
  const next = await created.reorder();
  if (next.kind !== "reordered") throw new Error(next.kind);
  await created.takeJobs();
  const { requestId } = next;
  return {
    next: requestId,
    sendNext: () => create(requestId),
    findNext: () => created.find(requestId),
    async stage() {
      const { rows } = await db.pool.query<{ stage: string; reason_detail: string | null }>(
        "SELECT stage, reason_detail FROM referral_requests WHERE shop = $1 AND id = $2",
        [created.shop, requestId],
      );
      return rows[0];
    },
  };
}

const HELD = { state: "ready", reviewReason: { code: "not_sent", detail: "former_unread" } };
const WAITS = { kind: "postponed", until: null };

test.each([[401], [403], [200]])(
  "a list that answers %s for good is told once, and ends by itself",
  async (status) => {
    const unit = await start();
    const { service, sendNext, findNext, stage, takeJobs, story, next } = unit;
    Object.assign(service, { listWorks: false, listFailure: status });
    expect(await sendNext()).toEqual(WAITS);
    expect(await findNext()).toMatchObject(HELD);
    expect(await stage()).toEqual({ stage: "attention", reason_detail: "former_unread" });
    // Nobody asks without end.
    expect(await takeJobs()).toEqual([]);
    expect(await sendNext()).toEqual(WAITS);
    expect(await findNext()).toMatchObject(HELD);
    expect(service.calls).toHaveLength(2);
    // It is taken up as each that was not sent (postgres/stalled-work.ts), and by the connection's mending.
    await db.tenancy.inShop(unit.shop, (tenant) =>
      resumeWork(tenant, "staging", { isTested: true }),
    );
    expect(await takeJobs()).toContain("create-referral");
    service.listWorks = true;
    expect(await sendNext()).toMatchObject({ kind: "created" });
    expect(await findNext()).toMatchObject({ state: "created", reviewReason: null });
    expect(await stage()).toEqual({ stage: "in_progress", reason_detail: null });
    expect(service.calls).toHaveLength(3);
    expect(await story(next)).not.toContain("create_unknown");
  },
);

test("the list is searched too where the first sender died, and nobody learnt an answer", async () => {
  const created = await startCreated(db, { behaviour: "late" });
  const { shop, requestId, service } = created;
  // As the sender leaves it that dies while it waits.
  await db.pool.query(
    `UPDATE referral_requests SET state = 'sending', attempt_deadline_at = $2 WHERE id = $1`,
    [requestId, created.clock.now()],
  );
  await db.pool.query("DELETE FROM timeline WHERE shop = $1 AND kind = 'create_unknown'", [shop]);
  created.clock.advance(REPORTING_GRACE_MS);
  const { next, sendNext, findNext } = await orderAgain(created);
  expect(await created.story(requestId)).toContain("create_interrupted");
  service.finishLate();
  const late = service.referrals.find(({ status }) => status !== "BILLING_FAILED");
  expect(await sendNext()).toEqual(WAITS);
  expect(await findNext()).toMatchObject({ reviewReason: { detail: "former_alive" } });
  expect((await created.referrals()).map(({ uuid }) => uuid)).toContain(late?.uuid);
  expect(service.calls).toHaveLength(2);
  expect(await created.story(next)).not.toContain("create_succeeded");
});

test("a late referral is found whichever part the former order lacked when its answer got lost", async () => {
  const created = await startCreated(db, { behaviour: "late" });
  const { shop, ports, service, find, requestId } = created;
  service.finishLate();
  const former = await find();
  if (!former) return expect.unreachable();
  // The late one is of the part that the former order has.
  expect(await findForgotten(ports, shop, [{ ...former, missingPart: "medicare" }])).toBeNull();
  const [late] = await created.referrals(requestId);
  expect(late).toMatchObject({ uuid: service.referrals[0]?.uuid, medicare: false });
});

test("a service that is only away for a while is nobody's business", async () => {
  const { service, sendNext, findNext } = await start();
  Object.assign(service, { listWorks: false, listFailure: 503 });
  await expect(sendNext()).rejects.toMatchObject({ status: 503 });
  expect(await findNext()).toMatchObject({ state: "ready", reviewReason: null, attempt: 0 });
  expect(service.calls).toHaveLength(2);
});

test("an entry of its own that cannot be read is told with its uuid, and forgotten once it can", async () => {
  const { service, sendNext, findNext, clock, shop } = await start();
  const [former] = service.referrals;
  const at = clock.now().toISOString();
  const entry = wireReferral({ createdAt: at, updatedAt: at, status: "FAILED_TEST" });
  Object.assign(entry, { referenceNumber: former?.referenceNumber, medicare: 7 });
  service.referrals.unshift(entry);
  const told = () =>
    db.tenancy.inShop(shop, (tenant) => tenant.unreadable.list("staging", clock.now()));
  expect(await sendNext()).toEqual(WAITS);
  expect(await findNext()).toMatchObject(HELD);
  expect((await told()).map(({ uuid }) => uuid)).toEqual([entry.uuid]);
  expect(service.calls).toHaveLength(2);
  entry.medicare = false;
  expect(await sendNext()).toMatchObject({ kind: "created" });
  expect(await told()).toEqual([]);
  expect(service.calls).toHaveLength(3);
});

test.each([[401], [403]])(
  "a former referral whose own page answers %s for good is told so as well",
  async (status) => {
    const { service, sendNext, findNext } = await start();
    service.readFailure = status;
    expect(await sendNext()).toEqual(WAITS);
    expect(await findNext()).toMatchObject(HELD);
    service.readFailure = null;
    expect(await sendNext()).toMatchObject({ kind: "created" });
    expect(service.calls).toHaveLength(3);
  },
);

test("the item says why nothing is sent, and what to do", () => {
  const { sentence, nextStep } = describeAttention(
    { code: "not_sent", detail: "former_unread" },
    () => ({ sentence: "", nextStep: "" }),
  );
  expect(sentence).toContain("ordered again");
  expect(nextStep).toMatch(/Test the connection.*support.*by itself/);
});
