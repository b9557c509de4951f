import type { SealedColumn } from "./platform/encryption/sealed-column.ts";

const SHOP = "'shop'";
const OF_REQUEST = "'request ' || t.request_id";

/**
 * Every sealed column: under which names its values are authenticated, and whose key seals them. Values that an older
 * key sealed are sealed anew by this list. A column that is missing here fails a test (modules/privacy/privacy.test.ts).
 */
export const SEALED_COLUMNS: SealedColumn[] = [
  {
    table: "referral_requests",
    column: "patient_sealed",
    place: ["referral_requests", "patient", "t.id::text"],
    subject: "'request ' || t.id",
    key: [["id", "uuid"]],
  },
  {
    table: "referral_requests",
    column: "invited_email_sealed",
    place: [
      "referral_requests",
      "holder_email",
      "t.order_id || ' ' || t.line_item_id || ' ' || t.unit",
    ],
    subject: "'request ' || t.id",
    key: [["id", "uuid"]],
  },
  {
    table: "patient_corrections",
    column: "patient_sealed",
    place: ["patient_corrections", "patient", "t.request_id || ' ' || t.number"],
    subject: OF_REQUEST,
    key: [
      ["request_id", "uuid"],
      ["number", "int"],
    ],
  },
  {
    table: "details_drafts",
    column: "answers_sealed",
    place: ["details_drafts", "answers", "t.request_id || ' ' || t.author"],
    subject: OF_REQUEST,
    key: [["request_id", "uuid"]],
  },
  {
    table: "referrals",
    column: "snapshot_sealed",
    place: ["referrals", "snapshot", "t.uuid::text"],
    subject: OF_REQUEST,
    key: [["uuid", "uuid"]],
  },
  {
    table: "results",
    column: "snapshot_sealed",
    place: ["results", "snapshot", "t.uuid::text"],
    subject: OF_REQUEST,
    key: [["uuid", "uuid"]],
  },
  {
    table: "results",
    column: "release_sealed",
    place: ["results", "release", "t.uuid::text"],
    subject: OF_REQUEST,
    key: [["uuid", "uuid"]],
  },
  {
    table: "result_shares",
    column: "secret_sealed",
    place: ["result_shares", "secret", "t.id::text"],
    subject: OF_REQUEST,
    key: [["id", "uuid"]],
  },
  {
    table: "document_bodies",
    column: "body_sealed",
    place: ["document_bodies", "body", "t.document_id::text"],
    subject:
      "'request ' || (SELECT d.request_id FROM documents d WHERE d.shop = t.shop AND d.id = t.document_id)",
    key: [["document_id", "uuid"]],
  },
  {
    table: "saved_patients",
    column: "details_sealed",
    place: ["saved_patients", "details", "t.id::text"],
    subject: "'patient ' || t.key_id",
    key: [["id", "uuid"]],
  },
  {
    table: "orders",
    column: "buyer_sealed",
    place: ["orders", "buyer", "t.order_id"],
    subject: "'order ' || t.order_id",
    key: [["order_id", "text"]],
  },
  {
    table: "privacy_requests",
    column: "export_sealed",
    place: ["privacy_duties", "package", "t.inbox_id::text"],
    subject: "'export ' || t.inbox_id",
    key: [["inbox_id", "bigint"]],
  },
  {
    table: "inbox",
    column: "body_sealed",
    place: ["inbox", "body", "t.source || ' ' || t.topic || ' ' || t.event_id"],
    subject: "'messages'",
    key: [["id", "bigint"]],
  },
  ...(["clinical_notes", "preparation"] as const).map(
    (name): SealedColumn => ({
      table: "mappings",
      column: `${name}_sealed`,
      place: ["mappings", name, "t.environment || ' ' || t.variant_id"],
      subject: SHOP,
      key: [
        ["environment", "text"],
        ["variant_id", "text"],
      ],
    }),
  ),
  {
    table: "mapping_changes",
    column: "before_sealed",
    place: [
      "mapping_changes",
      "before",
      "t.change_id || ' ' || t.environment || ' ' || t.variant_id",
    ],
    subject: SHOP,
    key: [["id", "bigint"]],
  },
  {
    table: "batch_items",
    column: "detail_sealed",
    place: ["mapping_run_rows", "clinical_notes", "t.batch_id || ' ' || t.position"],
    subject: SHOP,
    key: [
      ["batch_id", "uuid"],
      ["position", "int"],
    ],
  },
  {
    table: "alert_recipients",
    column: "email_sealed",
    place: ["alert_recipients", "email", "t.id::text"],
    subject: SHOP,
    key: [["id", "uuid"]],
  },
  ...(["client_id", "client_secret", "address", "signing_secret", "tokens"] as const).map(
    (name): SealedColumn => ({
      table: "connections",
      column: `${name}_sealed`,
      place: ["connections", name, "t.environment"],
      subject: SHOP,
      key: [["environment", "text"]],
    }),
  ),
  ...(["access_token", "refresh_token"] as const).map(
    (name): SealedColumn => ({
      table: "sessions",
      column: `${name}_sealed`,
      place: ["sessions", name, "t.id"],
      subject: SHOP,
      key: [["id", "text"]],
    }),
  ),
  // Last, because a walk that is under way counts the columns.
  {
    table: "connections",
    column: "previous_signing_secret_sealed",
    place: ["connections", "previous_signing_secret", "t.environment"],
    subject: SHOP,
    key: [["environment", "text"]],
  },
];
