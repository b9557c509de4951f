/** Long because taking, hiding, deleting and signing out are each tried as the owner, as a link and as staff. */
import { strFromU8, unzipSync } from "fflate";
import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { storeOrder } from "../../../test/database/seed.ts";
import { zipResponse } from "../../web/customer-interface/zip-response.ts";
import { endVisits } from "../access/end-visits.ts";
import {
  type ExportedFile,
  exportEverything,
  issueExportTicket,
  redeemExportTicket,
} from "../access/export-everything.ts";
import { listAccesses } from "../access/list-accesses.ts";
import type { Viewer } from "../access/viewer.ts";
import { gid } from "../kernel/ids.ts";
import { lifetimeMs } from "../kernel/secret.ts";
import { apply } from "../referrals/apply.ts";
import { endVisitsForPatient } from "./end-visits-for-patient.ts";
import { eraseForPatient, eraseOwnData, eraseRequest, previewErasure } from "./erase-own-data.ts";
import { exportForPatient } from "./export-for-patient.ts";
import { hideOwnResults } from "./hide-own-results.ts";
import { readPatientTests } from "./read-patient-tests.ts";
import type { Tenant } from "./tenant.ts";

const db = await openTestDatabase();
const ORDER = storeOrder().id;
let world: Awaited<ReturnType<typeof startLinked>>;
beforeEach(async () => {
  world = await startLinked(db);
});

/** Enters by a new link about the unit, and shows the code that is mailed. */
async function enterWithCode(kind: "form_ready" | "results_available"): Promise<Viewer> {
  const token = await world.mail(kind);
  await world.sendCode(await world.enter(token));
  await world.checkCode(await world.enter(token), world.code());
  return world.enter(token);
}

const unpack = async (viewer: Viewer) =>
  unpacked(await exportEverything(world.ports, { shop: world.shop, viewer }));

async function unpacked(files: AsyncGenerator<ExportedFile>) {
  const onBroken = (error: unknown) => expect.unreachable(String(error));
  const response = zipResponse(files, { fileName: "x.zip", onBroken });
  const unzipped = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return new Map(Object.entries(unzipped).map(([name, bytes]) => [name, strFromU8(bytes)]));
}
const rowOf = async (id: string) => {
  const { rows } = await db.pool.query(
    `SELECT state, stage, review_code, patient_sealed, redacted_at FROM referral_requests WHERE id = $1`,
    [id],
  );
  return rows[0];
};

/** The service has deleted its referral. */
async function deleted(tenant: Tenant, id: string, at: Date) {
  for (const { uuid } of await tenant.referrals.forRequests([id]))
    await tenant.referrals.markGone(uuid, at);
  await apply(tenant, id, { kind: "deleted", isReported: false }, { actor: "pathway", at });
}

describe("an export", () => {
  test("has forms, reports, values, a bundle and the details, and no test's title in a name", async () => {
    await world.deliver();
    const viewer = await enterWithCode("results_available");
    const files = await unpack(viewer);
    const names = [...files.keys()];
    expect(names.map((name) => name.replace(/^(\w+)\/.*$/, "$1"))).toEqual([
      ...["values.csv", "bundle.json", "details.json", "forms", "reports", "README.txt"],
    ]);
    for (const name of names) expect(name).toMatch(/^[\w./-]+$/);
    expect(files.get(names[3] ?? "")).toBe("%PDF-1.7 referral");
    expect(files.get("values.csv")).toContain("Iron");
    expect(files.get("README.txt")).toContain("1 test, 1 released result, 2 PDFs.");
    const bundle = JSON.parse(files.get("bundle.json") ?? "");
    expect(bundle).toMatchObject({ resourceType: "Bundle", type: "collection" });
    const { tests } = JSON.parse(files.get("details.json") ?? "");
    expect(tests).toHaveLength(1);
    const what = await listAccesses(world.ports, { shop: world.shop, viewer });
    expect(what[0]).toMatchObject({ who: "link", what: "everything_exported" });
  });

  test("has nothing of a test that was handed to its patient, whoever paid for it", async () => {
    await world.deliver();
    const guest = await enterWithCode("results_available");
    const customer = { kind: "customer", customerId: gid("Customer", 7) } as const;
    const set = (column: string, value: string) =>
      db.pool.query(`UPDATE referral_requests SET ${column} = $2 WHERE shop = $1`, [
        ...[world.shop, value],
      ]);
    const texts = async (viewer: Viewer) => [...(await unpack(viewer)).values()].join("\n");
    await set("customer_id", customer.customerId);
    for (const viewer of [guest, customer]) expect(await texts(viewer)).toContain("Iron");
    await set("owner", "patient");
    await expect(unpack(guest)).rejects.toMatchObject({ code: "other_purpose" });
    expect(await texts(customer)).not.toContain("Iron");
    expect(JSON.parse((await unpack(customer)).get("details.json") ?? "").tests).toEqual([]);
  });

  test("is downloaded by a ticket once, within a minute", async () => {
    const { shop, ports, clock } = world;
    const issue = () => issueExportTicket(ports, { shop, customerId: gid("Customer", 7) });
    const redeem = (token: string) => redeemExportTicket(ports, { shop, token });
    const late = await issue();
    clock.advance(lifetimeMs("export_ticket"));
    expect(await redeem(late)).toBeNull();
    const ticket = await issue();
    expect(await redeem(ticket)).not.toBeNull();
    expect(await redeem(ticket)).toBeNull();
  });

  test("needs the mailed code, whatever the link was for", async () => {
    await world.deliver();
    for (const kind of ["form_ready", "results_available"] as const) {
      const viewer = await world.enter(await world.mail(kind));
      const taken = world.told(exportEverything(world.ports, { shop: world.shop, viewer }));
      expect(await taken).toBe("step_up_required");
    }
  });

  test("has no results behind a link that was mailed for the form", async () => {
    await world.deliver();
    const files = await unpack(await enterWithCode("form_ready"));
    const names = [...files.keys()].join(" ");
    expect(names).toContain("forms/");
    expect(names).not.toContain("reports/");
    expect(files.get("values.csv")?.trim().split("\n")).toHaveLength(1);
    expect(files.get("README.txt")).toContain(
      "Forms or results are missing here, because the link that was used does not open them.",
    );
  });

  test("says that results are missing which their owner hid", async () => {
    await world.deliver();
    const viewer = await enterWithCode("results_available");
    const whole = (await unpack(viewer)).get("README.txt");
    expect(whole).not.toMatch(/missing here|hidden/);
    const wish = { shop: world.shop, viewer, requestId: world.id };
    expect(await hideOwnResults(world.ports, { ...wish, hide: true })).toBe(true);
    const files = await unpack(viewer);
    expect(files.get("README.txt")).toContain("0 released results");
    expect(files.get("README.txt")).toContain("Results that were hidden are not here.");
    expect(files.get("README.txt")).not.toContain("missing here");
  });
});

describe("erasing one's own data", () => {
  const erase = (viewer: Viewer, requestId = world.id) =>
    eraseOwnData(world.ports, { shop: world.shop, viewer, requestId });

  test("cancels what is not ordered, and tells the shop that a refund may be due", async () => {
    const viewer = await enterWithCode("form_ready");
    const preview = await previewErasure(world.ports, {
      ...{ shop: world.shop, viewer, requestId: world.id },
    });
    expect(preview?.effect).toBe("not_sent");
    expect(await erase(viewer)).toEqual({ kind: "erased" });
    expect(await rowOf(world.id)).toMatchObject({
      ...{ state: "cancelled", stage: "attention", review_code: "consent_withdrawn" },
      patient_sealed: null,
      redacted_at: expect.any(Date),
    });
  });

  test("deletes a referral that nobody has used, and still asks for the refund", async () => {
    await world.deliver();
    await db.pool.query("DELETE FROM results");
    const viewer = await enterWithCode("form_ready");
    expect(await erase(viewer)).toEqual({ kind: "erased" });
    const { rows } = await db.pool.query("SELECT name FROM outbox WHERE name = 'delete-referrals'");
    expect(rows).toHaveLength(1);
    await db.tenancy.inShop(world.shop, (tenant) => deleted(tenant, world.id, world.clock.now()));
    expect(await rowOf(world.id)).toMatchObject({
      ...{ state: "cancelled", stage: "attention", review_code: "consent_withdrawn" },
    });
  });

  test("hides results at once, with every copy of them", async () => {
    const { resultId, form, report } = await world.deliver();
    const viewer = await enterWithCode("results_available");
    expect(await world.read(viewer, resultId)).toBe("opened");
    expect(await erase(viewer)).toEqual({ kind: "erased" });
    expect(await world.read(viewer, resultId)).toBe("not found");
    expect(await world.open(viewer, report)).toBe("not found");
    const { rows } = await db.pool.query(
      `SELECT (SELECT count(*)::int FROM results WHERE request_id = $1) AS results,
              (SELECT count(*)::int FROM documents WHERE request_id = $1) AS documents,
              (SELECT count(*)::int FROM document_bodies WHERE document_id = ANY($2)) AS bodies`,
      [world.id, [form, report]],
    );
    expect(rows[0]).toEqual({ results: 0, documents: 0, bodies: 0 });
    expect(await rowOf(world.id)).toMatchObject({ state: "created", review_code: null });
  });

  test("says that a result goes with it which nobody was shown, and takes none that came meanwhile", async () => {
    const viewer = await enterWithCode("form_ready");
    const place = { shop: world.shop, viewer, requestId: world.id };
    const shown = async () => (await previewErasure(world.ports, place))?.effect ?? null;
    const before = await shown();
    expect(before).toBe("not_sent");
    await world.deliver();
    expect(await shown()).toBe("has_results");
    await db.pool.query("UPDATE results SET released_at = NULL WHERE request_id = $1", [world.id]);
    expect(await shown()).toBe("unseen_results");
    expect(await eraseOwnData(world.ports, { ...place, seen: before })).toEqual({
      kind: "changed_meanwhile",
    });
    expect(await rowOf(world.id)).toMatchObject({ redacted_at: null });
    const page = await readPatientTests(world.ports, { shop: world.shop, orderId: ORDER });
    expect(page?.tests[0]?.effect).toBe("unseen_results");
    expect(await eraseOwnData(world.ports, { ...place, seen: await shown() })).toEqual({
      kind: "erased",
    });
  });

  test("waits for a call that is under way, and goes on by itself", async () => {
    const viewer = await enterWithCode("form_ready");
    await db.pool.query(
      `UPDATE referral_requests SET state = 'sending', attempt = 1, attempt_started_at = now(),
         attempt_deadline_at = now() + interval '1 minute', recovery_lower_bound = now() WHERE id = $1`,
      [world.id],
    );
    expect(await erase(viewer)).toEqual({ kind: "waiting" });
    const { rows } = await db.pool.query("SELECT name FROM outbox WHERE name = 'erase-request'");
    expect(rows).toHaveLength(1);
    await db.pool.query(`UPDATE referral_requests SET state = 'rejected' WHERE id = $1`, [
      world.id,
    ]);
    for (const _ of [1, 2])
      await eraseRequest(world.ports, { shop: world.shop, requestId: world.id });
    expect(await rowOf(world.id)).toMatchObject({
      ...{ state: "cancelled", review_code: "consent_withdrawn", patient_sealed: null },
    });
  });

  test("is refused before the code, and to strangers as if there were nothing", async () => {
    const viewer = await world.enter(await world.mail("form_ready"));
    expect(await world.told(erase(viewer))).toBe("step_up_required");
    const other = await enterWithCode("form_ready");
    expect(await erase(other, "6f9619ff-8b86-4011-b42d-00c04fc964ff")).toEqual({
      kind: "not_found",
    });
    expect(await rowOf(world.id)).toMatchObject({ redacted_at: null });
  });
});

test("signing out everywhere ends every visit, and the log says so", async () => {
  const token = await world.mail("form_ready");
  const viewer = await world.enter(token);
  expect(await endVisits(world.ports, { shop: world.shop, viewer })).toBeGreaterThan(0);
  expect(await world.came(token)).toBeNull();
  const seen = await listAccesses(world.ports, { shop: world.shop, viewer });
  expect(seen[0]).toMatchObject({ what: "visits_ended", who: "link" });
});

test("signing out everywhere ends a buyer's visits though their link was mailed for a test that is now a patient's", async () => {
  const token = await world.mail("details_needed");
  const viewer = await world.enter(token);
  await world.send("pat@example.com", viewer);
  await world.runJobs();
  const patients = world.token(world.mails.at(-1));
  expect(await world.enter(patients)).toMatchObject({ kind: "patient" });
  expect(await endVisits(world.ports, { shop: world.shop, viewer })).toBe(1);
  expect(await world.came(token)).toBeNull();
  // The patient's visit is the patient's to end.
  const patient = await world.enter(patients);
  expect(await endVisits(world.ports, { shop: world.shop, viewer: patient })).toBe(1);
  expect(await world.came(patients)).toBeNull();
});

describe("the shop, for a patient who asks", () => {
  const actor = "staff:7" as const;
  const target = (requestId = world.id) => ({
    ...{ shop: world.shop, orderId: ORDER, requestId, actor },
  });

  const taken = async (caseNumber: string | null) => {
    const outcome = await exportForPatient(world.ports, { ...target(), caseNumber });
    return unpacked(outcome.kind === "opened" ? outcome.files : expect.unreachable());
  };

  test("takes what its patient may see, and the owner reads who did", async () => {
    await world.deliver();
    const names = [...(await taken("HD-7")).keys()].join(" ");
    expect(names).toContain("forms/");
    expect(names).toContain("reports/");
    const viewer = await enterWithCode("results_available");
    const seen = await listAccesses(world.ports, { shop: world.shop, viewer });
    expect(seen).toContainEqual(
      expect.objectContaining({ who: "staff", what: "data_export_opened" }),
    );
    const { rows } = await db.pool.query(
      "SELECT actor, detail->>'caseNumber' AS case FROM timeline WHERE kind = 'package_opened' AND request_id = $1",
      [world.id],
    );
    expect(rows).toEqual([{ actor, case: "HD-7" }]);
  });

  test("tells nothing of the buyer, who may be somebody else", async () => {
    await world.deliver();
    const { tests } = JSON.parse((await taken(null)).get("details.json") ?? "");
    expect(tests).toMatchObject([{ buyer: null }]);
  });

  test.each([
    ["not released", "UPDATE results SET released_at = NULL"],
    ["of a cancelled test", "UPDATE referral_requests SET state = 'cancelled'"],
  ])("leaves out what is %s", async (_, change) => {
    await world.deliver();
    await db.pool.query(change);
    const found = await taken(null);
    expect([...found.keys()].join(" ")).not.toContain("reports/");
    expect(found.get("values.csv")?.trim().split("\n")).toHaveLength(1);
    expect(JSON.parse(found.get("bundle.json") ?? "")).not.toHaveProperty("entry");
  });

  test("deletes it, and of another order nothing", async () => {
    await world.deliver();
    const other = { ...target(), orderId: gid("Order", 1) };
    expect(await eraseForPatient(world.ports, other)).toEqual({ kind: "not_found" });
    expect(await exportForPatient(world.ports, { ...other, caseNumber: null })).toEqual({
      kind: "not_found",
    });
    expect(await eraseForPatient(world.ports, target())).toEqual({ kind: "erased" });
    expect(await rowOf(world.id)).toMatchObject({ redacted_at: expect.any(Date) });
    const { rows } = await db.pool.query(
      "SELECT actor FROM timeline WHERE kind = 'consent_withdrawn' AND request_id = $1",
      [world.id],
    );
    expect(rows).toEqual([{ actor }]);
    const found = await readPatientTests(world.ports, target());
    expect(found?.tests.find(({ id }) => id === world.id)).toMatchObject({ hasDetails: false });
  });

  test("signs out everybody who came by a link of a buyer, and then of the patient, and no others", async () => {
    const token = await world.mail("details_needed");
    await world.send("pat@example.com", await world.enter(token));
    await world.runJobs();
    const patients = world.token(world.mails.at(-1));
    const patient = await world.enter(patients);
    const signOut = (wish = {}) => endVisitsForPatient(world.ports, { ...target(), ...wish });
    expect(await signOut({ orderId: gid("Order", 9) })).toEqual({ kind: "not_found" });
    expect(await signOut({ actor: "staff:99" })).toMatchObject({ kind: "not_allowed" });
    expect(await signOut({ seen: "buyer" })).toEqual({ kind: "changed_meanwhile" });
    expect(await world.came(patients)).not.toBeNull();
    expect(await signOut()).toEqual({ kind: "ended", visits: 1 });
    expect(await world.came(patients)).toBeNull();
    expect(await world.came(token)).not.toBeNull();
    const seen = await listAccesses(world.ports, { shop: world.shop, viewer: patient });
    expect(seen[0]).toMatchObject({ what: "visits_ended", who: "staff" });
    await db.pool.query("UPDATE referral_requests SET owner = 'buyer' WHERE id = $1", [world.id]);
    expect(await signOut()).toEqual({ kind: "ended", visits: 1 });
    expect(await world.came(token)).toBeNull();
    expect(await signOut()).toEqual({ kind: "ended", visits: 0 });
  });

  describe("from a page that is old", () => {
    const shown = async () =>
      (await readPatientTests(world.ports, target()))?.tests.find(({ id }) => id === world.id)
        ?.version ?? null;

    test("deletes no results that came after it said that nothing was ordered", async () => {
      const seen = await shown();
      await world.deliver();
      const before = await rowOf(world.id);
      expect(await eraseForPatient(world.ports, { ...target(), seen })).toEqual({
        kind: "changed_meanwhile",
      });
      expect(await rowOf(world.id)).toEqual(before);
      const { rows } = await db.pool.query(
        `SELECT (SELECT count(*)::int FROM results WHERE request_id = $1) AS results,
                (SELECT count(*)::int FROM access_log WHERE request_id = $1 AND what = 'data_erased') AS erased`,
        [world.id],
      );
      expect(rows).toEqual([{ results: 1, erased: 0 }]);
      const again = { ...target(), seen: await shown() };
      expect(await eraseForPatient(world.ports, again)).toEqual({ kind: "erased" });
    });
  });
});
