/** Long because it is one table: each statement that reads or writes a request stands beside those that lock the same row. */
import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import { heldRequests } from "../../../platform/database/held-rows.ts";
import { assignments, rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import { unlessErased } from "../../../platform/encryption/unless-erased.ts";
import { currentTraceparent } from "../../../platform/traces.ts";
import { gid } from "../../kernel/ids.ts";
import { patientSchema } from "../../patients/patient-schema.ts";
import { UNSENT_STATES } from "../request.ts";
import type { HandedUnit, PatientOnRequest, RequestRepository } from "../request-repository.ts";
import { isRedacted } from "./is-redacted.ts";
import { toItemColumns } from "./ordered-items.ts";
import {
  cancellationColumns,
  REQUEST_COLUMNS,
  type RequestRow,
  readRequests,
  reasonColumns,
  toRequest,
} from "./request-row.ts";
import { invitedEmailField, unitHands } from "./unit-hands.ts";
import { waitingWork } from "./waiting-work.ts";

const patientOnRequestSchema: z.ZodType<PatientOnRequest> = z.object({
  patient: patientSchema,
  medicare: z
    .object({ medicareCardNumber: z.string(), dvaNumber: z.string().nullable() })
    .nullable(),
});

const idRows = z.array(z.object({ id: z.string() }));

const readPatients = rowsOf<Pick<RequestRow, "id" | "patientSealed">>("referral_requests", [
  "id",
  "patientSealed",
]);

const readUnits = rowsOf<Pick<RequestRow, "id" | "orderId">>("referral_requests", [
  "id",
  "orderId",
]);

/** Where a request's ledger begins. */
const UNTOUCHED = {
  ...{ resultCode: null, reviewCode: null, reviewDetail: null },
  ...{ reasonCode: null, reasonDetail: null },
  ...{ handledCode: null, handledDetail: null },
  cancellationRequestedBy: null,
  cancellationStatus: null,
  missingPart: null,
  replacedBy: null,
  attempt: 0,
  attemptStartedAt: null,
  attemptDeadlineAt: null,
  recoveryLowerBound: null,
  emptyScans: 0,
  mailRefusedAt: null,
  underAge: false,
  kept: false,
};

const patientField = (id: string) => ({ table: "referral_requests", column: "patient", row: id });

export function requestRepository({
  tx,
  shop,
  sealer,
  keys,
  restoreJournal,
}: Scope): RequestRepository {
  const key = (id: string) => ({ shop_id: { shop, id } });
  /** The requests whose rows this transaction holds until it ends. */
  const locked = new Set<string>();
  const held = heldRequests<RequestRow>(tx);
  const readRow = async (id: string): Promise<RequestRow | null> => {
    const known = held.get(id);
    if (known) return known;
    const [row = null] = await readRequests(tx, Prisma.sql`shop = ${shop} AND id = ${id}::uuid`);
    if (row && locked.has(id)) held.set(id, row);
    return row;
  };
  const invitedEmail = async (row: RequestRow): Promise<string | null> => {
    if (!row.invitedEmailSealed) return null;
    const opener = await keys.opener({ request: row.id });
    return z.string().parse(opener.openJson(invitedEmailField(row), row.invitedEmailSealed));
  };
  const hands = unitHands({ shop, sealer, restoreJournal });
  const ownerSinceBackup = (unit: HandedUnit) =>
    hands.sinceBackup(unit, async () => {
      const row = await readRow(unit.id);
      return row && invitedEmail(row);
    });
  const repository: RequestRepository = {
    async add(requests, at) {
      const rows = requests.map(({ items, order, ...request }) => ({
        ...{ id: request.id, environment: request.environment },
        ...{ order_id: request.orderId, line_item_id: request.lineItemId },
        ...{ unit: request.unit, generation: request.generation, title: request.title },
        reference_number: request.referenceNumber,
        ...{ bundle_id: items.bundleId, tests: items.tests, medicare_tests: items.medicareTests },
        ...{ practitioner: items.practitioner, customer_id: request.customerId },
        order_mode: order.isTest ? "test" : request.environment,
        order_paid_at: order.paidAt,
      }));
      const added = await tx.$queryRaw`
        INSERT INTO referral_requests (shop, state, stage, traceparent, created_at, updated_at, id, environment, order_id,
                                       line_item_id, unit, generation, title, reference_number, bundle_id, tests, medicare_tests,
                                       practitioner, customer_id, order_mode, order_paid_at)
        SELECT ${shop}, 'awaiting_details', 'awaiting_details', ${currentTraceparent()}, ${at}, clock_timestamp(), r.*
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS r(id uuid, environment text, order_id text, line_item_id text, unit int, generation int, title text, reference_number text,
               bundle_id text, tests text[], medicare_tests text[], practitioner jsonb, customer_id text, order_mode text,
               order_paid_at timestamptz)
        ON CONFLICT DO NOTHING RETURNING id::text`;
      return idRows.parse(added).map(({ id }) => id);
    },
    async find(id) {
      const row = await readRow(id);
      return row && toRequest(row);
    },
    async findForUpdate(id) {
      if (locked.has(id)) return repository.find(id);
      // One journey to the database: whoever waited for the row is given it as it is then.
      const [row] = await tx.$queryRaw<RequestRow[]>`
        SELECT ${REQUEST_COLUMNS} FROM referral_requests WHERE shop = ${shop} AND id = ${id}::uuid FOR UPDATE`;
      locked.add(id);
      if (row) held.set(id, row);
      return row ? toRequest(row) : null;
    },
    async findOfReferralForUpdate(referralUuid) {
      const [row] = await tx.$queryRaw<RequestRow[]>`
        SELECT ${REQUEST_COLUMNS} FROM referral_requests WHERE shop = ${shop} AND id = (
          SELECT request_id FROM referrals WHERE shop = ${shop} AND uuid = ${referralUuid}::uuid) FOR UPDATE`;
      if (!row) return null;
      locked.add(row.id);
      held.set(row.id, row);
      return toRequest(row);
    },
    async findByReferenceNumber(referenceNumber) {
      const row = await tx.referralRequest.findUnique({
        where: { shop_referenceNumber: { shop, referenceNumber } },
      });
      return row && toRequest(row);
    },
    async byReferenceNumbers(referenceNumbers) {
      if (referenceNumbers.length === 0) return new Map();
      const rows = await tx.referralRequest.findMany({
        where: { shop, referenceNumber: { in: referenceNumbers } },
      });
      return new Map(rows.map((row) => [row.referenceNumber, toRequest(row)]));
    },
    async some(ids) {
      const rows = await readRequests(tx, Prisma.sql`shop = ${shop} AND id = ANY(${ids}::uuid[])`);
      return rows.map(toRequest);
    },
    async forOrder(orderId) {
      const rows = await readRequests(
        tx,
        Prisma.sql`shop = ${shop} AND order_id = ${orderId} ORDER BY line_item_id, unit, generation`,
      );
      return rows.map(toRequest);
    },
    async idsOfBuyer(orderId) {
      const rows = await tx.$queryRaw`
        SELECT id::text FROM referral_requests WHERE shop = ${shop} AND order_id = ${orderId} AND owner = 'buyer'`;
      return idRows.parse(rows).map(({ id }) => id);
    },
    async forOrderForUpdate(orderId) {
      await unanswered(
        tx,
        Prisma.sql`SELECT FROM referral_requests WHERE shop = ${shop} AND order_id = ${orderId} ORDER BY id FOR UPDATE`,
      );
      return repository.forOrder(orderId);
    },
    async inRange({ from, until }, limit) {
      const end = until ? Prisma.sql`AND id < ${until}::uuid` : Prisma.empty;
      const rows = await readRequests(
        tx,
        Prisma.sql`shop = ${shop} AND id >= ${from}::uuid ${end} ORDER BY id LIMIT ${limit}`,
      );
      return rows.map(toRequest);
    },
    async followOrders(ids) {
      held.clear();
      const rows = await tx.$queryRaw`
        UPDATE referral_requests r SET order_paid_at = o.paid_at,
          order_mode = CASE WHEN o.test THEN 'test' ELSE r.environment END
        FROM orders o
        WHERE r.shop = ${shop} AND r.id = ANY(${ids}::uuid[]) AND o.shop = r.shop AND o.order_id = r.order_id
          AND (r.order_paid_at, r.order_mode) IS DISTINCT FROM
              (o.paid_at, CASE WHEN o.test THEN 'test' ELSE r.environment END)
        RETURNING r.id::text`;
      return idRows.parse(rows).map(({ id }) => id);
    },
    async forCustomer(customerId, { after, limit }) {
      const rows = await tx.referralRequest.findMany({
        where: { shop, customerId },
        orderBy: [{ createdAt: "desc" }, { lineItemId: "asc" }, { unit: "asc" }, { id: "asc" }],
        take: limit,
        ...(after ? { cursor: { shop_id: { shop, id: after } }, skip: 1 } : {}),
      });
      return rows.map(toRequest);
    },
    async namedOfAccount(customerId, limit) {
      const rows = await readUnits(
        tx,
        Prisma.sql`shop = ${shop} AND customer_id = ${customerId} AND owner = 'buyer' AND patient_sealed IS NOT NULL
          ORDER BY created_at DESC, line_item_id, unit, id LIMIT ${limit}`,
      );
      return rows.map(({ id, orderId }) => ({
        ...{ id, customerId, orderId: gid("Order", orderId) },
        ...{ owner: "buyer" as const, hasPatient: true },
      }));
    },
    async write(
      id,
      { cancellation, resultReason, reviewReason, handledReason, reason, given, ...change },
    ) {
      const details = given && !(await isRedacted({ tx, shop }, id)) ? given : undefined;
      const sealer = details && (await keys.sealer({ request: id }));
      held.delete(id);
      const values = {
        ...{ ...change, resultCode: resultReason },
        patientSealed: sealer?.sealJson(patientField(id), details?.patient),
        consentAt: details?.consentAt,
        ...cancellationColumns(cancellation),
        ...reasonColumns({ review: reviewReason, handled: handledReason, reason }),
      };
      const [row] = await tx.$queryRaw<RequestRow[]>`
        UPDATE referral_requests SET ${assignments(values)}, updated_at = statement_timestamp()
        WHERE shop = ${shop} AND id = ${id}::uuid RETURNING ${REQUEST_COLUMNS}`;
      if (!row) throw new Error("The request is not there");
      if (locked.has(id)) held.set(id, row);
      return toRequest(row);
    },
    async laterGenerations(ids) {
      const rows = await tx.$queryRaw<{ of: string; id: string }[]>`
        SELECT r.id::text AS of, n.id::text FROM referral_requests r
        JOIN referral_requests n ON n.shop = r.shop AND n.order_id = r.order_id AND n.line_item_id = r.line_item_id
          AND n.unit = r.unit AND n.generation > r.generation
        WHERE r.shop = ${shop} AND r.id = ANY(${ids}::uuid[]) ORDER BY n.generation`;
      const later = await repository.some([...new Set(rows.map(({ id }) => id))]);
      const byId = new Map(later.map((one) => [one.id, one]));
      const pairs = rows.flatMap(({ of, id }) => {
        const next = byId.get(id);
        return next ? [{ of, next }] : [];
      });
      const grouped = Map.groupBy(pairs, ({ of }) => of);
      return new Map([...grouped].map(([of, own]) => [of, own.map(({ next }) => next)]));
    },
    async openNext(latestId, { items, patient, ...next }, at) {
      const latest = await tx.referralRequest.findUniqueOrThrow({ where: key(latestId) });
      const sealer = await keys.sealer({ request: next.id });
      const invited = await invitedEmail(latest);
      const { count } = await tx.referralRequest.createMany({
        data: [
          {
            ...latest,
            ...UNTOUCHED,
            ...next,
            ...toItemColumns(items),
            // Sealed for its own row: a ciphertext of another row does not open.
            patientSealed: patient && sealer.sealJson(patientField(next.id), patient),
            invitedEmailSealed:
              invited === null ? null : sealer.sealJson(invitedEmailField(latest), invited),
            consentAt: patient && latest.consentAt,
            createdAt: at,
            updatedAt: at,
          },
        ],
        skipDuplicates: true,
      });
      return count > 0;
    },
    async setItems(id, items) {
      held.delete(id);
      await tx.referralRequest.updateMany({ where: { shop, id }, data: toItemColumns(items) });
    },
    isRedacted: (id) => isRedacted({ tx, shop }, id),
    async savePatient(id, patient, consentAt) {
      const sealer = await keys.sealer({ request: id });
      const patientSealed = sealer.sealJson(patientField(id), patient);
      held.delete(id);
      await unanswered(
        tx,
        Prisma.sql`
        UPDATE referral_requests SET patient_sealed = ${patientSealed}, consent_at = ${consentAt},
          updated_at = statement_timestamp()
        WHERE shop = ${shop} AND id = ${id}::uuid AND redacted_at IS NULL`,
      );
    },
    async hideResults(id, resultsHiddenAt) {
      held.delete(id);
      await tx.referralRequest.updateMany({ where: { shop, id }, data: { resultsHiddenAt } });
    },
    async recordMailRefused(id, mailRefusedAt) {
      held.delete(id);
      await tx.referralRequest.updateMany({ where: { shop, id }, data: { mailRefusedAt } });
    },
    async ofBuyer(orderId, { mailRefused }) {
      const rows = await readRequests(
        tx,
        Prisma.sql`shop = ${shop} AND order_id = ${orderId} AND owner = 'buyer'
          AND (mail_refused_at IS NOT NULL) = ${mailRefused} ORDER BY line_item_id, unit, generation`,
      );
      return rows.map(toRequest);
    },
    async patientOf(id) {
      const row =
        held.get(id) ??
        (await readPatients(tx, Prisma.sql`shop = ${shop} AND id = ${id}::uuid`))[0];
      if (!row?.patientSealed) return null;
      const opener = await keys.opener({ request: id });
      return patientOnRequestSchema.parse(opener.openJson(patientField(id), row.patientSealed));
    },
    async patientsOf(ids) {
      if (ids.length === 0) return new Map();
      const rows = await readPatients(tx, Prisma.sql`shop = ${shop} AND id = ANY(${ids}::uuid[])`);
      const openerOf = await keys.openers(rows.map((row) => ({ request: row.id })));
      return new Map(
        rows.flatMap(({ id, patientSealed }) => {
          if (!patientSealed) return [];
          const opened = unlessErased(() =>
            openerOf({ request: id }).openJson(patientField(id), patientSealed),
          );
          return opened === null ? [] : [[id, patientOnRequestSchema.parse(opened)]];
        }),
      );
    },
    async unsentOf(environment, { after, limit }) {
      const rows = await readRequests(
        tx,
        Prisma.sql`shop = ${shop} AND environment = ${environment} AND state = ANY(${[...UNSENT_STATES]}::text[])
          AND (${after}::uuid IS NULL OR id > ${after}::uuid) ORDER BY id LIMIT ${limit}`,
      );
      return rows.map(toRequest);
    },
    async unitsOf(orderIds) {
      const rows = await tx.$queryRaw<
        Pick<RequestRow, "orderId" | "lineItemId" | "unit" | "title">[]
      >`
        SELECT DISTINCT ON (order_id, line_item_id, unit)
          order_id AS "orderId", line_item_id AS "lineItemId", unit, title
        FROM referral_requests WHERE shop = ${shop} AND order_id = ANY(${orderIds}::text[])
        ORDER BY order_id, line_item_id, unit, generation DESC`;
      return rows.map((row) => ({
        ...row,
        orderId: gid("Order", row.orderId),
        lineItemId: gid("LineItem", row.lineItemId),
      }));
    },
    async recordInvitation(id, email, at) {
      const row = await tx.referralRequest.findUniqueOrThrow({ where: key(id) });
      const sealer = await keys.sealer({ request: id });
      hands.note(toRequest(row), { owner: "patient", email, at });
      held.delete(id);
      await tx.referralRequest.update({
        where: key(id),
        data: {
          owner: "patient",
          invitedEmailSealed: sealer.sealJson(invitedEmailField(row), email),
          invitedAt: at,
          patientRemindersStoppedAt: null,
          mailRefusedAt: null,
          patientSealed: null,
          consentAt: null,
        },
      });
    },
    async forgetPatient(id) {
      held.delete(id);
      await tx.referralRequest.update({
        where: key(id),
        data: { patientSealed: null, consentAt: null },
      });
    },
    async invitedEmailOf(id) {
      const row = await readRow(id);
      if (row?.owner !== "patient" || (await ownerSinceBackup(toRequest(row)))) return null;
      return invitedEmail(row);
    },
    ownerSinceBackup,
    async recordLostPatient(id, { since, now }) {
      held.delete(id);
      await tx.referralRequest.update({
        where: key(id),
        data: {
          ...{ owner: "patient", invitedEmailSealed: null, invitedAt: since, acceptedAt: null },
          ...{ mailRefusedAt: now, patientRemindersStoppedAt: null },
        },
      });
    },
    async recordFoundPatient(id, email) {
      const row = await tx.referralRequest.findUniqueOrThrow({ where: key(id) });
      const sealer = await keys.sealer({ request: id });
      held.delete(id);
      await tx.referralRequest.update({
        where: key(id),
        data: {
          acceptedAt: row.invitedAt,
          ...(email !== null && {
            invitedEmailSealed: sealer.sealJson(invitedEmailField(row), email),
            mailRefusedAt: null,
          }),
        },
      });
    },
    async invitedOf(orderIds) {
      const rows = await readRequests(
        tx,
        Prisma.sql`shop = ${shop} AND order_id = ANY(${orderIds}::text[]) AND owner = 'patient'
                   AND invited_email_sealed IS NOT NULL`,
      );
      const openerOf = await keys.openers(rows.map((row) => ({ request: row.id })));
      return rows.flatMap((row) => {
        const { id, invitedEmailSealed } = row;
        const email =
          invitedEmailSealed &&
          unlessErased(() =>
            openerOf({ request: id }).openJson(invitedEmailField(row), invitedEmailSealed),
          );
        if (email === null) return [];
        const { orderId, lineItemId, unit } = toRequest(row);
        return [{ orderId, lineItemId, unit, email: z.string().parse(email) }];
      });
    },
    async revokeInvitation(id, at) {
      held.delete(id);
      const [row] = await tx.referralRequest.updateManyAndReturn({
        where: { shop, id, owner: "patient", acceptedAt: null },
        data: { owner: "buyer", invitedEmailSealed: null, invitedAt: at, mailRefusedAt: null },
      });
      if (row) hands.note(toRequest(row), { owner: "buyer", at });
      return row !== undefined;
    },
    async claim(id, at) {
      held.delete(id);
      const rows = await tx.referralRequest.updateManyAndReturn({
        where: { shop, id, owner: "patient", acceptedAt: null },
        data: { acceptedAt: at },
      });
      return rows[0] ? toRequest(rows[0]) : null;
    },
    async stopReminders(id, owner, at) {
      held.delete(id);
      const column = owner === "buyer" ? "remindersStoppedAt" : "patientRemindersStoppedAt";
      // Two clicks at one time end the reminders once.
      const { count } = await tx.referralRequest.updateMany({
        where: { shop, id, [column]: null },
        data: { [column]: at },
      });
      return count > 0;
    },
    ...waitingWork({ tx, shop }),
  };
  return repository;
}
