import { describe, expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { PATIENT } from "../../../../test/database/seed.ts";
import { listCustomerRequests } from "../../access/list-requests.ts";
import { openDocument } from "../../access/open-document.ts";
import { savePatientDetails } from "../../access/save-patient-details.ts";
import { gid } from "../../kernel/ids.ts";
import { maintainShop } from "../../lifecycle/maintain-shop.ts";
import { correctReferrals } from "../correct-referrals.ts";
import { refetchReferral } from "../referrals/refetch-referral.ts";
import { reissueForm } from "../reissue-form.ts";

const db = await openTestDatabase();
const FORM_URL = "https://service.example/form.pdf";
const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;

/** A referral whose first form is stored. `pdf` is what its address gives; null while it gives nothing. */
async function start() {
  const created = await startCreated(db);
  const { shop, ports, service, requestId, target } = created;
  const [uuid = ""] = created.uuids();
  const said = () => service.referrals.find((one) => one.uuid === uuid);
  const source: { pdf: string | null } = { pdf: "first" };
  const attachments = {
    async download() {
      return source.pdf === null
        ? { kind: "refused" as const, reason: "no PDF now" }
        : { kind: "pdf" as const, bytes: Buffer.from(`%PDF-1.7 ${source.pdf}`) };
    },
  };
  const refetch = () =>
    refetchReferral({ ...ports, attachments }, { shop, environment: "staging", uuid });
  const become = (status: string, referralAttachment: string | null) => {
    service.set(uuid, { status, referralAttachment });
    return refetch();
  };
  const issue = () => become("ISSUED", FORM_URL);
  await issue();
  await created.takeJobs();
  return {
    ...created,
    uuid,
    source,
    refetch,
    become,
    issue,
    /** Changes what the service says, and not when it last changed. */
    async becomeSilently(fields: Record<string, unknown>) {
      const updatedAt = said()?.updatedAt;
      service.set(uuid, { ...fields, updatedAt });
      return refetch();
    },
    person: () => said()?.person as Record<string, unknown>,
    async correct() {
      const details = { ...PATIENT, lastName: "Citizen-Smith", consent: true };
      await savePatientDetails(ports, { shop, viewer, requestId, details });
      return correctReferrals(ports, target);
    },
    async see() {
      const [seen] = await listCustomerRequests(ports, { shop, viewer });
      return { state: seen?.state, versions: seen?.documents.map(({ version }) => version) };
    },
    async opens(version: number) {
      const { rows } = await db.pool.query<{ id: string }>(
        "SELECT id FROM documents WHERE source_uuid = $1 AND version = $2",
        [uuid, version],
      );
      const documentId = rows[0]?.id ?? "";
      return (await openDocument(ports, { shop, viewer, documentId }))?.pdf.toString();
    },
    async mails() {
      const { rows } = await db.pool.query<{ kind: string; occurrence: string }>(
        "SELECT kind, occurrence FROM notifications WHERE request_id = $1 ORDER BY created_at",
        [requestId],
      );
      return rows.map(({ kind, occurrence }) => `${kind} ${occurrence}`.trim());
    },
  };
}

const READY = { state: "form_ready", versions: [1] };
const PREPARED = { state: "being_prepared", versions: [] };

test("a corrected referral's old form is not offered again while the new one cannot be had", async () => {
  const one = await start();
  expect(await one.see()).toEqual(READY);
  expect(await one.correct()).toEqual({ kind: "applied" });
  expect(await one.see()).toEqual(PREPARED);
  one.source.pdf = null;
  await expect(one.issue()).rejects.toThrow();
  expect((await one.referrals())[0]?.status).toBe("ISSUED");
  expect(await one.see()).toEqual(PREPARED);
  expect(await one.opens(1)).toBeUndefined();

  await one.takeJobs();
  await maintainShop({ ...one.ports, maintenanceIntervalMs: 3_600_000 }, { shop: one.shop });
  expect(await one.takeJobs()).toContain("refetch-referral");

  one.source.pdf = "corrected";
  one.clock.advance(60_000);
  expect(await one.refetch()).toMatchObject({ document: true });
  expect(await one.see()).toEqual({ state: "form_ready", versions: [2] });
  expect(await one.opens(1)).toBeUndefined();
  expect(await one.opens(2)).toContain("corrected");
  expect(await one.mails()).toEqual(["form_ready", "form_corrected 2"]);
  await one.takeJobs();
  await maintainShop({ ...one.ports, maintenanceIntervalMs: 3_600_000 }, { shop: one.shop });
  expect(await one.takeJobs()).not.toContain("refetch-referral");
});

test("a reissue that the service made by itself takes the old form away as well", async () => {
  const one = await start();
  // An address that is still that of the old form.
  await one.become("SCHEDULED_REISSUE", FORM_URL);
  one.source.pdf = null;
  await expect(one.issue()).rejects.toThrow();
  expect(await one.see()).toEqual(PREPARED);
});

test("a reissue of which only the end was seen takes the old form away as well", async () => {
  const one = await start();
  one.source.pdf = null;
  await expect(one.issue()).rejects.toThrow();
  expect(await one.see()).toEqual(PREPARED);
  // The beginning is heard of late.
  one.source.pdf = "corrected";
  one.clock.advance(60_000);
  await one.refetch();
  expect(await one.see()).toEqual({ state: "form_ready", versions: [2] });
});

test("the same form again is offered again, and is no correction", async () => {
  const one = await start();
  await one.correct();
  await one.issue();
  expect(await one.see()).toEqual(READY);
  expect(await one.opens(1)).toContain("first");
  expect(await one.mails()).toEqual(["form_ready"]);
  await one.refetch();
  expect(await one.see()).toEqual(READY);
});

test("a form that was on its way when the correction was taken is not offered", async () => {
  const one = await start();
  const { ports, shop, uuid } = one;
  const attachments = {
    async download() {
      one.clock.advance(1000);
      await one.correct();
      return { kind: "pdf" as const, bytes: Buffer.from("%PDF-1.7 first") };
    },
  };
  await refetchReferral({ ...ports, attachments }, { shop, environment: "staging", uuid });
  one.source.pdf = null;
  await expect(one.issue()).rejects.toThrow();
  expect(await one.see()).toEqual(PREPARED);
});

test.each(["PARTIAL_RESULTS", "COMPLETE"])(
  "a form that the service draws anew after its results (%s) is no correction, and is not fetched",
  async (status) => {
    const one = await start();
    one.source.pdf = "the same, issued at another time of day";
    expect(await one.become(status, FORM_URL)).toMatchObject({ document: false });
    expect(await one.mails()).toEqual(["form_ready"]);
    expect(await one.opens(1)).toBe("%PDF-1.7 first");
    expect((await one.see()).versions).toEqual([1]);
  },
);

test("a form whose remaking was seen, and its end not, is fetched once its results are here", async () => {
  const one = await start();
  await one.become("SCHEDULED_REISSUE", null);
  one.source.pdf = "second";
  expect(await one.become("COMPLETE", FORM_URL)).toMatchObject({ document: true });
  expect((await one.see()).versions).toEqual([2]);
});

describe("a form that differs, and of which the service tells nothing,", () => {
  test("takes the old one's place without a word, each time that it's drawn", async () => {
    const one = await start();
    for (const [time, version] of [
      ["10:01", 2],
      ["10:02", 3],
    ] as const) {
      one.source.pdf = `the same, issued at ${time}`;
      expect(await one.refetch()).toMatchObject({ document: true });
      expect(await one.see()).toEqual({ state: "form_ready", versions: [version] });
      expect(await one.opens(version)).toContain(time);
    }
    expect(await one.mails()).toEqual(["form_ready"]);
  });

  test("is told of when its referral has other facts", async () => {
    const one = await start();
    one.source.pdf = "of a married name";
    await one.becomeSilently({ person: { ...one.person(), lastName: "Smith" } });
    expect(await one.see()).toEqual({ state: "form_ready", versions: [2] });
    expect(await one.mails()).toEqual(["form_ready", "form_corrected 2"]);
    expect(await one.opens(1)).toBeUndefined();
    one.source.pdf = "of a married name, drawn anew";
    await one.refetch();
    expect(await one.mails()).toEqual(["form_ready", "form_corrected 2"]);
    expect(await one.opens(3)).toContain("drawn anew");
  });

  test("is told of when other facts are seen, and it comes later", async () => {
    const one = await start();
    one.source.pdf = null;
    await expect(
      one.becomeSilently({ person: { ...one.person(), dob: "1991-01-02" } }),
    ).rejects.toThrow();
    expect(await one.see()).toEqual(PREPARED);
    one.source.pdf = "of another day";
    one.clock.advance(60_000);
    await one.refetch();
    expect(await one.mails()).toEqual(["form_ready", "form_corrected 2"]);
  });

  test("is told of as soon as the service says that it made one", async () => {
    const one = await start();
    // It was made between the reading of its referral and its download.
    one.source.pdf = "made a moment ago";
    await one.refetch();
    expect(await one.mails()).toEqual(["form_ready"]);
    await one.issue();
    expect(await one.see()).toEqual({ state: "form_ready", versions: [3] });
    expect(await one.opens(3)).toContain("made a moment ago");
    expect(await one.mails()).toEqual(["form_ready", "form_corrected 3"]);
  });

  test("is no correction in the place of one that an operator lost", async () => {
    const one = await start();
    await db.pool.query(
      `UPDATE document_bodies SET lost_at = now(), store = 'files', object = gen_random_uuid()
       WHERE document_id = (SELECT id FROM documents WHERE source_uuid = $1)`,
      [one.uuid],
    );
    one.source.pdf = "the same, drawn anew";
    await one.refetch();
    expect(await one.opens(2)).toContain("drawn anew");
    expect(await one.mails()).toEqual(["form_ready"]);
  });

  test("is judged by the service's word alone where nothing is left of its former facts", async () => {
    const one = await start();
    await db.pool.query("UPDATE referrals SET snapshot_sealed = '' WHERE uuid = $1", [one.uuid]);
    one.source.pdf = "of another name";
    await one.becomeSilently({ person: { ...one.person(), lastName: "Smith" } });
    expect(await one.mails()).toEqual(["form_ready"]);
  });
});

test("staff have the form fetched again: another one takes the old one's place, and nobody is emailed before the service says so", async () => {
  const one = await start();
  const orderId = (
    await db.tenancy.inShop(one.shop, (tenant) => tenant.requests.find(one.requestId))
  )?.orderId;
  if (!orderId) throw new Error("no order");
  const { shop, requestId } = one;
  const reissue = () => reissueForm(one.ports, { shop, orderId, requestId, actor: "staff:7" });
  expect(await reissue()).toEqual({ kind: "queued" });
  expect(await one.takeJobs()).toEqual(["refetch-referral"]);
  expect(await one.refetch()).toMatchObject({ document: false });
  expect(await one.see()).toEqual(READY);
  one.source.pdf = "changed";
  await reissue();
  expect(await one.refetch()).toMatchObject({ document: true });
  expect(await one.see()).toEqual({ state: "form_ready", versions: [2] });
  expect(await one.opens(2)).toContain("changed");
  expect(await one.mails()).toEqual(["form_ready"]);
  const timeline = await db.tenancy.inShop(shop, (tenant) => tenant.timeline.forOrder(orderId));
  const asked = timeline.filter(({ kind }) => kind === "form_asked_again");
  expect(asked.map(({ actor }) => actor)).toEqual(["staff:7", "staff:7"]);
});
