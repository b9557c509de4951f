/** Long because it goes through every way that a correction can go. */
import { describe, expect, test } from "vitest";
import { BOTH_PARTS, CARD, startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { mailRun, tokenOf } from "../../../test/database/mail-run.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { PATIENT, storeOrder } from "../../../test/database/seed.ts";
import { viewerLink } from "../../../test/database/viewer-link.ts";
import { listCustomerRequests } from "../access/list-requests.ts";
import { ownDetails } from "../access/own-details.ts";
import { savePatientDetails } from "../access/save-patient-details.ts";
import type { Viewer } from "../access/viewer.ts";
import { gid } from "../kernel/ids.ts";
import { correctReferrals } from "./correct-referrals.ts";

const db = await openTestDatabase();
const customerId = gid("Customer", 7);
const ORDER = gid("Order", 1001);
const LINE = gid("LineItem", 1);
const CORRECTED = { ...PATIENT, lastName: "Citizen-Smith", consent: true };

async function start(options: Parameters<typeof startCreated>[1] = {}) {
  const created = await startCreated(db, options);
  const { shop, ports, requestId, target } = created;
  const correctionRows = async () =>
    (
      await db.pool.query<{ number: number; state: string; sealed: Buffer | null }>(
        `SELECT number, state, patient_sealed AS sealed FROM patient_corrections
         WHERE shop = $1 ORDER BY number`,
        [shop],
      )
    ).rows;
  return {
    ...created,
    correct: (details: unknown = CORRECTED, viewer: Viewer = { kind: "customer", customerId }) =>
      savePatientDetails(ports, { shop, viewer, requestId, details }),
    pass: () => correctReferrals(ports, target),
    corrections: async () => (await correctionRows()).map(({ state }) => state),
    correctionRows,
    canCorrect: async () =>
      (await listCustomerRequests(ports, { shop, viewer: { kind: "customer", customerId } })).find(
        ({ id }) => id === requestId,
      )?.canCorrect,
    lastNames: () => created.service.patches.map(({ body }) => body.lastName),
  };
}

describe("a correction", () => {
  test("is on disk, sealed, before it is passed on with what may be changed, and no more", async () => {
    const { correct, pass, service, uuids, takeJobs, correctionRows, story, requestId } =
      await start();
    expect(await correct()).toEqual({ kind: "saved", requestId });
    const [row] = await correctionRows();
    expect(row).toMatchObject({ number: 1, state: "pending" });
    expect(row?.sealed?.includes("Citizen-Smith")).toBe(false);
    expect(service.patches).toEqual([]);
    expect(await takeJobs()).toEqual(["correct-referrals"]);
    expect(await pass()).toEqual({ kind: "applied" });
    const { consent: _, ...fields } = CORRECTED;
    expect(service.patches).toEqual([{ uuid: uuids()[0], body: fields }]);
    // Settled, its details are kept in one place only.
    expect(await correctionRows()).toMatchObject([{ state: "applied", sealed: null }]);
    expect(await pass()).toEqual({ kind: "nothing_to_correct" });
    expect((await story(requestId)).slice(-3)).toEqual([
      "details_corrected",
      "referral_status",
      "correction_passed_on",
    ]);
  });

  test("goes to both referrals of a Medicare order", async () => {
    const { correct, pass, service, uuids } = await start({ items: BOTH_PARTS });
    await correct();
    expect(await pass()).toEqual({ kind: "applied" });
    expect(service.patches.map(({ uuid }) => uuid).toSorted()).toEqual(uuids().toSorted());
  });

  test("replaces the patient's details, also for a later order", async () => {
    const { correct, pass, shop, requestId } = await start();
    await correct();
    await pass();
    const kept = await db.tenancy.inShop(shop, (t) => t.requests.patientOf(requestId));
    expect(kept?.patient.lastName).toBe("Citizen-Smith");
  });

  test("is what its owner sees when the details are opened again, before and after it was passed on", async () => {
    const { correct, pass, shop, ports, requestId } = await start({ items: BOTH_PARTS });
    const viewer = { kind: "customer", customerId } as const;
    const own = () => ownDetails(ports, { shop, viewer, requestId });
    expect(await own()).toEqual({ ...PATIENT, medicareCardNumber: CARD.medicareCardNumber });
    await correct();
    expect(await own()).toMatchObject({
      lastName: "Citizen-Smith",
      medicareCardNumber: CARD.medicareCardNumber,
    });
    await pass();
    expect(await own()).toMatchObject({ lastName: "Citizen-Smith" });
  });

  test("of nothing makes no new form", async () => {
    const { correct, corrections, service } = await start();
    expect(await correct({ ...PATIENT, consent: true })).toMatchObject({ kind: "saved" });
    expect(await corrections()).toEqual([]);
    expect(service.patches).toEqual([]);
  });

  test("is checked like the first details, and cannot change the Medicare card", async () => {
    const { correct, corrections } = await start({ items: BOTH_PARTS });
    const fieldsOf = async (details: object) => {
      const outcome = await correct({ ...CORRECTED, ...details });
      return outcome.kind === "invalid" ? outcome.errors.map(({ field }) => field) : outcome.kind;
    };
    expect(await fieldsOf({ phone: "12" })).toEqual(["phone"]);
    expect(await fieldsOf({ address: { ...PATIENT.address, postCode: "2000" } })).toEqual([
      "address.postCode",
    ]);
    expect(await fieldsOf({ medicareCardNumber: "3950216891" })).toEqual(["medicareCardNumber"]);
    expect(await fieldsOf({ dvaNumber: "QX12345" })).toEqual(["dvaNumber"]);
    // All at once, in the sequence of the form; a PATCH takes no name of one sign (interface §4.2).
    expect(await fieldsOf({ lastName: "", phone: "12", medicareCardNumber: "3950216891" })).toEqual(
      ["lastName", "phone", "medicareCardNumber"],
    );
    expect(await fieldsOf({ lastName: "O", dvaNumber: "QX12345" })).toEqual([
      "lastName",
      "dvaNumber",
    ]);
    expect(await corrections()).toEqual([]);
    expect(await fieldsOf({ medicareCardNumber: CARD.medicareCardNumber })).toBe("saved");
  });

  test.each(["SCHEDULED_REISSUE", "PENDING_VERIFICATION"])(
    "during %s waits until the form is issued",
    async (status) => {
      const { correct, pass, become, service, takeJobs } = await start();
      await become({ status });
      await correct();
      expect(await pass()).toEqual({ kind: "waiting" });
      expect(service.patches).toEqual([]);
      await takeJobs();
      await become({ status: "ISSUED" });
      expect(await takeJobs()).toContain("correct-referrals");
      expect(await pass()).toEqual({ kind: "applied" });
    },
  );

  test.each(["PARTIAL_RESULTS", "COMPLETE", "FAILED_TEST", "TRANSFERRED", "SOMETHING_NEW"])(
    "is too late for %s",
    async (status) => {
      const { correct, become, canCorrect } = await start();
      expect(await canCorrect()).toBe(true);
      await become({ status });
      expect(await canCorrect()).toBe(false);
      expect(await correct()).toEqual({ kind: "too_late" });
    },
  );

  test("that the service takes no more is refused, shown, and forgotten", async () => {
    const { correct, pass, service, uuids, find, correctionRows } = await start();
    await correct();
    // The laboratory was faster, and its event has not come yet.
    service.set(uuids()[0] ?? "", { status: "COMPLETE" });
    expect(await pass()).toEqual({ kind: "refused" });
    expect(await find()).toMatchObject({
      reviewReason: { code: "correction_refused", detail: null },
    });
    expect(await correctionRows()).toMatchObject([{ state: "refused", sealed: null }]);
  });

  test("that was refused is told to whoever gave it, once, without a word about health", async () => {
    const { correct, pass, service, uuids, shop, requestId, clock } = await start();
    const { mails, runJobs } = mailRun(db, shop, clock);
    await db.tenancy.inShop(shop, (tenant) =>
      tenant.orders.record(storeOrder(), new Map(), clock.now()),
    );
    await correct();
    service.set(uuids()[0] ?? "", { status: "COMPLETE" });
    const told = async () => {
      await pass();
      await runJobs();
      return mails.splice(0);
    };
    const [mail, ...more] = await told();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      to: "sam@example.com",
      subject: "Your details could not be changed (#1001)",
    });
    expect(mail?.text).toContain("contact us and tell us your order number");
    const words = `${mail?.subject} ${mail?.text} ${mail?.html}`;
    expect(words).not.toMatch(/Iron|Citizen|ada@|test|result|laboratory|pathology/i);
    expect(await told()).toEqual([]);
    const due = { requestId, kind: "correction_refused", occurrence: "1" } as const;
    await db.tenancy.inShop(shop, (tenant) =>
      tenant.jobs.enqueue({ name: "send-mail", shop, ...due }),
    );
    expect(await told()).toEqual([]);
  });

  test("that was refused is told to the patient of a unit that was handed over, and not to its buyer", async () => {
    const { correct, pass, service, uuids, shop, requestId, clock } = await start();
    const { mails, runJobs } = mailRun(db, shop, clock);
    await db.tenancy.inShop(shop, async (tenant) => {
      await tenant.orders.record(storeOrder(), new Map(), clock.now());
      await putRequest(tenant, requestId, { state: "ready" });
      await tenant.requests.recordInvitation(requestId, "pat@example.com", clock.now());
      await tenant.requests.savePatient(
        requestId,
        { patient: PATIENT, medicare: null },
        clock.now(),
      );
      await putRequest(tenant, requestId, { state: "created" });
    });
    const link = viewerLink("correction");
    const viewer = { kind: "patient", orderId: ORDER, lineItemId: LINE, unit: 1, link } as const;
    await correct(CORRECTED, viewer);
    service.set(uuids()[0] ?? "", { status: "COMPLETE" });
    await pass();
    await runJobs();
    expect(mails.map(({ to }) => to)).toEqual(["pat@example.com"]);
    expect(tokenOf(mails[0])).toHaveLength(43);
  });

  test("that met a form being made waits, though nobody had told us", async () => {
    const { correct, pass, service, uuids, become, lastNames } = await start();
    await correct();
    service.set(uuids()[0] ?? "", { status: "SCHEDULED_REISSUE" });
    expect(await pass()).toEqual({ kind: "waiting" });
    await become({ status: "ISSUED" });
    expect(await pass()).toEqual({ kind: "applied" });
    expect(lastNames()).toEqual(["Citizen-Smith", "Citizen-Smith"]);
  });

  test("after another supersedes it, and the last one stands at the service", async () => {
    const { correct, pass, become, corrections, lastNames } = await start();
    await correct();
    await correct({ ...CORRECTED, lastName: "Second" });
    expect(await corrections()).toEqual(["superseded", "pending"]);
    expect(await pass()).toEqual({ kind: "applied" });
    await become({ status: "ISSUED" });
    expect(await pass()).toEqual({ kind: "nothing_to_correct" });
    expect(lastNames()).toEqual(["Second"]);
  });
});

describe("while one correction is being passed on", () => {
  /** The first correction's call stands still while `work` is done. */
  async function during(work: (started: Awaited<ReturnType<typeof start>>) => Promise<void>) {
    const started = await start();
    await started.correct();
    const real = await started.ports.services.forConnection(started.shop, "staging");
    if (!real) throw new Error("no service");
    const sent = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const slow = {
      ...real,
      updateReferral: async (...call: Parameters<typeof real.updateReferral>) => {
        sent.resolve();
        await answer.promise;
        return real.updateReferral(...call);
      },
    };
    const ports = { ...started.ports, services: { forConnection: async () => slow } };
    const first = correctReferrals(ports, started.target);
    await sent.promise;
    await work(started);
    answer.resolve();
    return { ...started, first: await first.catch((error: unknown) => String(error)) };
  }

  test("a later one waits for it, and is what stands in the end", async () => {
    const { pass, lastNames, corrections, become, first } = await during(async (started) => {
      await started.correct({ ...CORRECTED, lastName: "Second" });
      expect(await started.pass()).toMatchObject({ kind: "busy" });
    });
    expect(first).toEqual({ kind: "nothing_to_correct" });
    expect(await corrections()).toEqual(["superseded", "pending"]);
    await become({ status: "ISSUED" });
    expect(await pass()).toEqual({ kind: "applied" });
    expect(lastNames()).toEqual(["Citizen-Smith", "Second"]);
  });

  test("it never leaves after its deadline, when a later one may have gone", async () => {
    const { lastNames, first } = await during(async (started) => {
      await started.correct({ ...CORRECTED, lastName: "Second" });
      started.clock.advance(60_000);
      expect(await started.pass()).toEqual({ kind: "applied" });
    });
    expect(first).toMatch(/deadline/);
    expect(lastNames()).toEqual(["Second"]);
  });

  test("and its process dies, the next one does it again", async () => {
    const started = await start();
    await started.correct();
    started.service.close();
    await expect(started.pass()).rejects.toThrow();
    expect(await started.pass()).toMatchObject({ kind: "busy" });
    started.clock.advance(60_000);
    await expect(started.pass()).rejects.toThrow();
    expect(await started.corrections()).toEqual(["pending"]);
  });
});
