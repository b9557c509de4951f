import { createHash, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { movableClock, START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { IN_DATABASE } from "../../../../test/database/in-database.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { installedShop, readyRequest } from "../../../../test/database/seed.ts";
import { referralSnapshot, resultSnapshot } from "../../../../test/database/snapshots.ts";
import { viewerLink } from "../../../../test/database/viewer-link.ts";
import { gid } from "../../kernel/ids.ts";
import { issueDocumentTicket, openDocument, redeemDocumentTicket } from "../open-document.ts";
import { openResult } from "../open-result.ts";
import type { Viewer } from "../viewer.ts";

const db = await openTestDatabase();
const OWNER = gid("Customer", 7);
const STRANGER = gid("Customer", 8);

/** A request of OWNER with a referral, a result, and the PDF of each. */
async function start({ released = true } = {}) {
  const shop = await installedShop(db);
  const requestId = await readyRequest(db, shop);
  const referral = referralSnapshot();
  const result = resultSnapshot({ referralUuid: referral.uuid });
  const clock = movableClock();
  const ports = { tenancy: db.tenancy, clock, documentBodies: IN_DATABASE };

  async function store(kind: "referral" | "result", sourceUuid: string, text: string) {
    const pdf = Buffer.from(`%PDF-1.7 ${text}`);
    const sha256 = createHash("sha256").update(pdf).digest("hex");
    const document = { requestId, customerId: OWNER, kind, sourceUuid, partial: false, sha256 };
    const id = randomUUID();
    await db.tenancy.inShop(shop, (t) =>
      t.documents.store({ ...document, id, bytes: pdf.length }, pdf, clock.now()),
    );
    return id;
  }
  await db.tenancy.inShop(shop, async (t) => {
    await putRequest(t, requestId, { state: "created" });
    await t.referrals.save("staging", requestId, referral, START);
  });
  const saveResult = (releasedAt: Date | null, inReview = false) =>
    db.tenancy.inShop(shop, (t) =>
      t.results.save({
        environment: "staging",
        requestId,
        snapshot: result,
        partial: false,
        inReview,
        otherPerson: false,
        releasedAt,
        at: START,
      }),
    );
  await saveResult(released ? START : null);
  const form = await store("referral", referral.uuid, "form");
  const report = await store("result", result.uuid, "report");
  const open = (documentId: string, customerId = OWNER, inShop = shop) =>
    openDocument(ports, { shop: inShop, viewer: { kind: "customer", customerId }, documentId });
  const ticketFor = (documentId: string, customerId = OWNER) =>
    issueDocumentTicket(ports, { shop, viewer: { kind: "customer", customerId }, documentId });
  const redeem = (ticket: string, inShop = shop) =>
    redeemDocumentTicket(ports, { shop: inShop, token: ticket });
  return {
    shop,
    requestId,
    referral,
    result,
    ports,
    clock,
    store,
    saveResult,
    form,
    report,
    open,
    ticketFor,
    redeem,
  };
}

describe("a document", () => {
  test("opens for the customer it is attached to", async () => {
    const { open, form, report } = await start();
    expect((await open(form))?.pdf.toString()).toBe("%PDF-1.7 form");
    expect((await open(report))?.fileName).toBe("result-report-Ada-C-v1.pdf");
  });

  test("does not open for a stranger, in another shop, or when it does not exist", async () => {
    const { open, form, report } = await start();
    const elsewhere = await installedShop(db);
    for (const id of [form, report]) {
      expect(await open(id, STRANGER)).toBeNull();
      expect(await open(id, OWNER, elsewhere)).toBeNull();
    }
    expect(await open(randomUUID())).toBeNull();
  });

  test("opens by no ticket of the account that its order was in before", async () => {
    const { shop, requestId, form, ticketFor, redeem } = await start();
    const former = (await ticketFor(form)) ?? expect.unreachable();
    await db.tenancy.inShop(shop, async (tenant) => {
      const request = await tenant.requests.find(requestId);
      await tenant.customers.giveOrder(request?.orderId ?? expect.unreachable(), STRANGER);
    });
    expect(await redeem(former)).toBeNull();
    const own = (await ticketFor(form, STRANGER)) ?? expect.unreachable();
    expect((await redeem(own))?.pdf.toString()).toBe("%PDF-1.7 form");
  });

  test("that is attached to somebody else than its request opens for neither", async () => {
    const { open, form, shop } = await start();
    await db.pool.query("UPDATE documents SET customer_id = $1 WHERE shop = $2", [STRANGER, shop]);
    expect(await open(form, OWNER)).toBeNull();
    expect(await open(form, STRANGER)).toBeNull();
  });

  test("cannot be read in the table", async () => {
    await start();
    const { rows } = await db.pool.query<{ body: Buffer }>(
      "SELECT body_sealed AS body FROM document_bodies",
    );
    for (const { body } of rows) expect(body.includes("%PDF")).toBe(false);
  });

  test("is deflated before it is sealed where that makes it shorter, and opens whole", async () => {
    const { shop, open, store, form, referral } = await start();
    const sizes = async () => {
      const { rows } = await db.pool.query<{ bytes: number; sealed: number }>(
        `SELECT d.bytes, length(b.body_sealed) AS sealed FROM documents d
         JOIN document_bodies b ON b.shop = d.shop AND b.document_id = d.id
         WHERE d.shop = $1 AND d.kind = 'referral' ORDER BY d.version`,
        [shop],
      );
      return rows.map(({ bytes, sealed }) => sealed - bytes);
    };
    // "%PDF-1.7 form" has nothing that repeats.
    const [added = 0] = await sizes();
    expect(added).toBeGreaterThan(0);
    expect(String((await open(form))?.pdf)).toBe("%PDF-1.7 form");
    const text = "ferritin ".repeat(500);
    const next = await store("referral", referral.uuid, text);
    expect((await sizes())[1]).toBeLessThan(added - 4_000);
    expect(String((await open(next))?.pdf)).toBe(`%PDF-1.7 ${text}`);
  });

  test("that was replaced does not open any more; the new one does", async () => {
    const { open, store, form, referral } = await start();
    const next = await store("referral", referral.uuid, "corrected form");
    expect(await open(form)).toBeNull();
    expect(await open(next)).toMatchObject({ fileName: "referral-form-Ada-C-v2.pdf" });
  });

  test("that comes again unchanged stays the version it is", async () => {
    const { open, store, form, referral } = await start();
    await store("referral", referral.uuid, "form");
    expect(await open(form)).toMatchObject({ fileName: "referral-form-Ada-C-v1.pdf" });
  });

  test("of a result opens only once the result is released", async () => {
    const { open, report, form, saveResult, ticketFor } = await start({ released: false });
    expect(await open(report)).toBeNull();
    expect(await ticketFor(report)).toBeNull();
    expect(await open(form)).not.toBeNull();
    await saveResult(START);
    expect(await open(report)).not.toBeNull();
  });

  test("of a deleted referral or a cancelled request does not open", async () => {
    const deleted = await start();
    const gone = { ...deleted.referral, deletedAt: START.toISOString() };
    await db.tenancy.inShop(deleted.shop, (t) =>
      t.referrals.save("staging", deleted.requestId, gone, START),
    );
    expect(await deleted.open(deleted.form)).toBeNull();

    const cancelled = await start();
    await db.tenancy.inShop(cancelled.shop, (t) =>
      putRequest(t, cancelled.requestId, { state: "cancelled" }),
    );
    expect(await cancelled.open(cancelled.form)).toBeNull();
    expect(await cancelled.open(cancelled.report)).toBeNull();
  });

  test("moves to the customer whom its owner was merged into", async () => {
    const { open, form, shop } = await start();
    await db.tenancy.inShop(shop, (t) => t.customers.merge(OWNER, STRANGER, START));
    expect(await open(form, OWNER)).toBeNull();
    expect(await open(form, STRANGER)).not.toBeNull();
  });
});

describe("a ticket", () => {
  test("opens its document once, however many ask at the same time", async () => {
    const { ticketFor, redeem, form } = await start();
    const ticket = (await ticketFor(form)) ?? "";
    const opened = await Promise.all(Array.from({ length: 10 }, () => redeem(ticket)));
    expect(opened.filter(Boolean)).toHaveLength(1);
    expect(await redeem(ticket)).toBeNull();
  });

  test("is not issued to a stranger", async () => {
    const { ticketFor, form } = await start();
    expect(await ticketFor(form, STRANGER)).toBeNull();
  });

  test("is over after a minute", async () => {
    const { ticketFor, redeem, form, clock } = await start();
    const inTime = (await ticketFor(form)) ?? "";
    clock.advance(59_999);
    expect(await redeem(inTime)).not.toBeNull();
    const late = (await ticketFor(form)) ?? "";
    clock.advance(60_000);
    expect(await redeem(late)).toBeNull();
  });

  test.each(["guest", "patient"] as const)(
    "of a %s, who has no account, opens it as well",
    async (kind) => {
      const { shop, requestId, ports, redeem, form } = await start();
      const { rows } = await db.pool.query(
        `UPDATE referral_requests SET customer_id = NULL, owner = $2 WHERE id = $1
         RETURNING order_id AS "orderId", line_item_id AS "lineItemId", unit`,
        [requestId, kind === "patient" ? "patient" : "buyer"],
      );
      await db.pool.query("UPDATE documents SET customer_id = NULL WHERE shop = $1", [shop]);
      const { orderId, lineItemId, unit } = rows[0];
      const link = viewerLink("form", { lineItemId, unit });
      const viewer: Viewer =
        kind === "guest" ? { kind, orderId, link } : { kind, orderId, lineItemId, unit, link };
      const ticket = await issueDocumentTicket(ports, { shop, viewer, documentId: form });
      expect(await redeem(ticket ?? "")).toMatchObject({ fileName: "referral-form-Ada-C-v1.pdf" });
    },
  );

  test("does not work in another shop, changed, or made up", async () => {
    const { ticketFor, redeem, form } = await start();
    const ticket = (await ticketFor(form)) ?? "";
    expect(await redeem(ticket, await installedShop(db))).toBeNull();
    expect(await redeem(`${ticket}x`)).toBeNull();
    expect(await redeem("")).toBeNull();
    expect(await redeem(ticket)).not.toBeNull();
  });

  test("is not kept as it is", async () => {
    const { ticketFor, form } = await start();
    const ticket = (await ticketFor(form)) ?? "";
    const { rows } = await db.pool.query("SELECT ticket_hash FROM document_tickets");
    for (const { ticket_hash } of rows) expect(ticket_hash.toString("base64url")).not.toBe(ticket);
  });

  test("is not kept once it is long over", async () => {
    const { ticketFor, clock, form, report, shop } = await start();
    await ticketFor(form);
    clock.advance(2 * 3_600_000);
    await ticketFor(report);
    const { rows } = await db.pool.query(
      "SELECT document_id AS id FROM document_tickets WHERE shop = $1",
      [shop],
    );
    expect(rows).toEqual([{ id: report }]);
  });

  test("for what was withdrawn in the meantime opens nothing", async () => {
    const { ticketFor, redeem, store, form, referral } = await start();
    const ticket = (await ticketFor(form)) ?? "";
    await store("referral", referral.uuid, "corrected form");
    expect(await redeem(ticket)).toBeNull();
  });
});

describe("a result", () => {
  const open = ({ ports, shop, result }: Awaited<ReturnType<typeof start>>, customerId = OWNER) =>
    openResult(ports, { shop, viewer: { kind: "customer", customerId }, resultId: result.uuid });

  test("is shown to its customer, by category", async () => {
    const world = await start();
    expect(await open(world)).toMatchObject({
      id: world.result.uuid,
      partial: false,
      categories: [{ id: "iron", biomarkers: [{ id: "ferritin", formattedValue: "40 ug/L" }] }],
    });
  });

  test("is not shown to a stranger, in another shop, or before its release", async () => {
    const world = await start();
    expect(await open(world, STRANGER)).toBeNull();
    expect(await open({ ...world, shop: await installedShop(db) })).toBeNull();
    expect(await open(await start({ released: false }))).toBeNull();
  });

  test("cannot be read in the table", async () => {
    await start();
    const { rows } = await db.pool.query("SELECT results::text AS text FROM results");
    for (const { text } of rows) expect(text).not.toMatch(/ferritin|66657272/i);
  });
});
