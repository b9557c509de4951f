import { integer, integerOrNull, text, textOrNull } from "../storage/column.ts";
import type { Database, Row } from "../storage/database.ts";
import { type Page, type PageRequest, readPage } from "../storage/page.ts";
import { type Referral, type ReferralDocument, referralStatus } from "./referral.ts";

export interface ReferralStore {
  nextSeq(): number;
  insert(referral: Referral): void;
  /** Writes everything that can change after creation. */
  save(referral: Referral): void;
  /** Looks in one organisation only (interface §1.6). */
  find(organisationId: number, uuid: string): Referral | null;
  /** For jobs of the server itself, which know no organisation. */
  findAnywhere(uuid: string): Referral | null;
  page(organisationId: number, request: PageRequest): Page<Referral>;
  inEmailGroup(emailGroup: string): Referral[];
  uuidsAwaitingForm(): string[];
  countsByReferenceNumber(organisationId: number): Record<string, number>;
}

function fromRow(row: Row): Referral {
  const document: ReferralDocument = JSON.parse(text(row, "document"));
  return {
    seq: integer(row, "seq"),
    uuid: text(row, "uuid"),
    organisationId: integer(row, "organisation_id"),
    status: referralStatus.parse(text(row, "status")),
    referenceNumber: text(row, "reference_number"),
    createdAtMs: integer(row, "created_ms"),
    updatedAtMs: integer(row, "updated_ms"),
    deletedAtMs: integerOrNull(row, "deleted_ms"),
    emailSentAtMs: integerOrNull(row, "email_sent_ms"),
    emailGroup: textOrNull(row, "email_group"),
    issueNumber: integer(row, "issue_number"),
    resultsUuid: textOrNull(row, "results_uuid"),
    document,
  };
}

/** Referrals on the given database. */
export function createReferralStore(database: Database): ReferralStore {
  const one = (row: Row | undefined): Referral | null => (row ? fromRow(row) : null);
  let lastSeq = integer(
    database.get("SELECT COALESCE(MAX(seq), 0) AS seq FROM referrals") ?? { seq: 0 },
    "seq",
  );
  return {
    nextSeq: () => {
      lastSeq += 1;
      return lastSeq;
    },
    insert(referral) {
      database.run(
        `INSERT INTO referrals (seq, uuid, organisation_id, status, reference_number, created_ms,
           updated_ms, deleted_ms, email_sent_ms, email_group, issue_number, results_uuid, document)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        referral.seq,
        referral.uuid,
        referral.organisationId,
        referral.status,
        referral.referenceNumber,
        referral.createdAtMs,
        referral.updatedAtMs,
        referral.deletedAtMs,
        referral.emailSentAtMs,
        referral.emailGroup,
        referral.issueNumber,
        referral.resultsUuid,
        JSON.stringify(referral.document),
      );
    },
    save(referral) {
      database.run(
        `UPDATE referrals SET status = ?, updated_ms = ?, deleted_ms = ?, email_sent_ms = ?,
           issue_number = ?, results_uuid = ?, document = ? WHERE seq = ?`,
        referral.status,
        referral.updatedAtMs,
        referral.deletedAtMs,
        referral.emailSentAtMs,
        referral.issueNumber,
        referral.resultsUuid,
        JSON.stringify(referral.document),
        referral.seq,
      );
    },
    find: (organisationId, uuid) =>
      one(
        database.get(
          "SELECT * FROM referrals WHERE uuid = ? AND organisation_id = ?",
          uuid,
          organisationId,
        ),
      ),
    findAnywhere: (uuid) => one(database.get("SELECT * FROM referrals WHERE uuid = ?", uuid)),
    page: (organisationId, request) =>
      readPage({ database, table: "referrals", organisationId, request, fromRow }),
    inEmailGroup: (emailGroup) =>
      database
        .all("SELECT * FROM referrals WHERE email_group = ? ORDER BY seq", emailGroup)
        .map(fromRow),
    uuidsAwaitingForm: () =>
      database
        .all(
          "SELECT uuid FROM referrals WHERE status IN ('CREATED', 'SCHEDULED_REISSUE') ORDER BY seq",
        )
        .map((row) => text(row, "uuid")),
    countsByReferenceNumber(organisationId) {
      const rows = database.all(
        "SELECT reference_number, COUNT(*) AS count FROM referrals WHERE organisation_id = ? GROUP BY reference_number",
        organisationId,
      );
      return Object.fromEntries(
        rows.map((row) => [text(row, "reference_number"), integer(row, "count")]),
      );
    },
  };
}
