import { expect, test } from "vitest";
import { correctionsOf } from "../../../../test/database/corrections.ts";
import { BOTH_PARTS, startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { ONE_TEST, PATIENT } from "../../../../test/database/seed.ts";
import { ReferralServiceError } from "../../../platform/errors.ts";
import { savePatientDetails } from "../../access/save-patient-details.ts";
import { gid } from "../../kernel/ids.ts";
import { correctReferrals } from "../correct-referrals.ts";
import type { ReferralService } from "../referral-service.ts";

const db = await openTestDatabase();
const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
const ROUND_MS = 60_000;

async function start(items = BOTH_PARTS) {
  const created = await startCreated(db, { items });
  const { shop, ports, target, requestId, service } = created;
  return {
    ...created,
    correct: (lastName: string) =>
      savePatientDetails(ports, {
        shop,
        viewer,
        requestId,
        details: { ...PATIENT, lastName, consent: true },
      }),
    pass: () => correctReferrals(ports, target),
    /** Does the same as `pass`, with another answer to the service's PATCH. */
    async passBy(
      how: (real: ReferralService["updateReferral"]) => ReferralService["updateReferral"],
    ) {
      const real = await ports.services.forConnection(shop, "staging");
      if (!real) throw new Error("no service");
      const other = { ...real, updateReferral: how(real.updateReferral) };
      return correctReferrals({ ...ports, services: { forConnection: async () => other } }, target);
    },
    patched: () => service.patches.map(({ uuid }) => uuid),
    corrections: () => correctionsOf(db, shop),
  };
}

test("a referral that has the correction does not get it again because the next one’s call failed", async () => {
  const { correct, passBy, pass, patched, uuids, clock, referrals, takeJobs, become } =
    await start();
  await correct("Citizen-Smith");
  await takeJobs();
  let calls = 0;
  const failing = passBy((real) => async (...call) => {
    if (++calls > 1) throw new Error("the connection was lost");
    return real(...call);
  });
  await expect(failing).rejects.toThrow("lost");
  const [first] = patched();
  const stored = await referrals();
  expect(stored.find(({ uuid }) => uuid === first)).toMatchObject({
    correction: 1,
    status: "SCHEDULED_REISSUE",
  });
  // Its new form is fetched, whatever becomes of the other.
  expect(await takeJobs()).toContain("refetch-referral");
  await become({ status: "ISSUED" });
  clock.advance(ROUND_MS);
  expect(await pass()).toEqual({ kind: "applied" });
  expect(patched().toSorted()).toEqual(uuids().toSorted());
});

test("keeps the deadline of another round when an answer comes after its own", async () => {
  const { correct, pass, passBy, clock, become } = await start(ONE_TEST);
  await correct("First");
  const held = () => {
    const sent = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const round = passBy((real) => async (...call) => {
      const snapshot = await real(...call);
      sent.resolve();
      await answer.promise;
      return snapshot;
    });
    return { sent: sent.promise, answer: () => answer.resolve(), round };
  };
  const early = held();
  await early.sent;
  clock.advance(ROUND_MS);
  await become({ status: "ISSUED" });
  const later = held();
  await later.sent;
  early.answer();
  await early.round.catch(() => {});
  await correct("Second");
  // The later round may still be sending the first correction.
  expect(await pass()).toMatchObject({ kind: "busy" });
  later.answer();
  await later.round;
});

test("with no referral left nobody is told that the service has the corrected details", async () => {
  const { correct, pass, service, uuids, become, corrections, story, requestId, shop } =
    await start();
  await correct("Citizen-Smith");
  await become({ deletedAt: "2026-11-21T00:00:00.000Z" });
  expect(await pass()).toEqual({ kind: "nothing_to_correct" });
  expect(service.patches).toEqual([]);
  expect(uuids()).toHaveLength(2);
  expect(await story(requestId)).not.toContain("correction_passed_on");
  // The owner's latest details are kept for a re-order.
  expect(await corrections()).toEqual([{ state: "superseded", sealed: null }]);
  const kept = await db.tenancy.inShop(shop, (tenant) => tenant.requests.patientOf(requestId));
  expect(kept?.patient.lastName).toBe("Citizen-Smith");
  expect(await pass()).toEqual({ kind: "nothing_to_correct" });
});

test.each([403, 404, 405, 421])(
  "a gateway’s %i refuses no correction: it is passed on once the way is free",
  async (status) => {
    const { correct, pass, service, corrections, clock } = await start(ONE_TEST);
    await correct("Citizen-Smith");
    service.gatewayRefusal = status;
    await expect(pass()).rejects.toMatchObject({ failure: "contract_mismatch" });
    expect(await corrections()).toMatchObject([{ state: "pending" }]);
    service.gatewayRefusal = null;
    clock.advance(ROUND_MS);
    expect(await pass()).toEqual({ kind: "applied" });
  },
);

/** Answers a PATCH with nothing, whether or not it was done. */
const withoutWords = async (): Promise<never> => {
  throw new ReferralServiceError("contract_mismatch", "PATCH: the answer is not JSON");
};

test("a correction that the service took without a word is not passed on again", async () => {
  const { correct, passBy, patched, service, corrections, referrals } = await start(ONE_TEST);
  await correct("Citizen-Smith");
  const passed = passBy((real) => async (uuid, change, deadline) => {
    await real(uuid, change, deadline);
    service.set(uuid, { person: change });
    return withoutWords();
  });
  expect(await passed).toEqual({ kind: "applied" });
  expect(await corrections()).toMatchObject([{ state: "applied" }]);
  expect(await referrals()).toMatchObject([{ correction: 1, status: "SCHEDULED_REISSUE" }]);
  expect(patched()).toHaveLength(1);
});

test("a correction of which the service shows nothing is passed on again", async () => {
  const { correct, pass, passBy, corrections, clock } = await start(ONE_TEST);
  await correct("Citizen-Smith");
  const passed = passBy(() => withoutWords);
  await expect(passed).rejects.toMatchObject({ failure: "contract_mismatch" });
  expect(await corrections()).toMatchObject([{ state: "pending" }]);
  clock.advance(ROUND_MS);
  expect(await pass()).toEqual({ kind: "applied" });
});
