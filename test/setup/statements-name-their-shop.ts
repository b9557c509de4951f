import { Client, type QueryConfig } from "pg";
import { afterEach, expect } from "vitest";

/**
 * Every statement of a shop's transaction names the shop by a value of its own, beside the policy that hides all others: a
 * plan then reads one shop's rows, and a database that is spread by shop knows at once where to ask.
 */
const TENANT_TABLES = new RegExp(
  `\\b(${[
    ...["batch_items", "batches", "catalogues", "connections", "consents", "customer_merges"],
    ...["details_drafts", "document_bodies", "document_tickets", "documents", "export_tickets"],
    "former_objects",
    ...[
      "inbox",
      "mapping_changes",
      "mappings",
      "notice_wordings",
      "notifications",
      "order_imports",
      "order_lines",
      "order_words",
      "orders",
    ],
    ...["outbox", "patient_corrections", "patient_links", "patient_sessions", "practitioners"],
    ...["privacy_requests", "published_details", "referral_requests", "referrals", "result_shares"],
    ...[
      "results",
      "saved_patients",
      "saved_views",
      "shops",
      "simulations",
      "staff_access",
      "staff_members",
    ],
    ...["step_up_codes", "store_readings", "store_variants", "timeline", "tombstones"],
    ...["unclaimed_referrals", "unreadable_entries", "access_log", "access_log_seals", "data_keys"],
  ].join("|")})\\b`,
);
/** `shop = $1`, `"t"."shop" IN ($1,$2)`, `$1 = shop`. */
const NAMES_SHOP =
  /\bshop"?\s*(?:=|IN)\s*\(?\s*(?:\$\d|ANY|'[^']+')|\$\d+(?:::text)?\s*=\s*(?:"?\w+"?\.)*"?shop\b/i;
/** Rows that are written carry their shop, and the policy checks it. */
const INSERTS = /^\s*(?:WITH\b[\s\S]*?\b)?INSERT INTO\b[^(]*\([^)]*\bshop\b/i;

const entered = new WeakSet<object>();
/** Files that try what happens without the shop. */
const ATTACKS = /\/(tenancy|least-privilege|access-at-start|open-staff-access)\.test\.ts$/;

const STATE = Symbol.for("pathway.statements-name-their-shop");
/** One for each process: this file is read anew for each test file, and the patch stays. */
const shared = globalThis as unknown as { [STATE]?: Set<string> };
const isFirst = shared[STATE] === undefined;
const nameless = shared[STATE] ?? new Set<string>();
shared[STATE] = nameless;

function note(client: object, text: string): void {
  if (/\benter_shop\(/.test(text)) entered.add(client);
  else if (/^\s*(?:COMMIT|ROLLBACK|BEGIN)\b/i.test(text)) entered.delete(client);
  else if (entered.has(client) && TENANT_TABLES.test(text) && !/\binformation_schema\b/.test(text))
    if (!NAMES_SHOP.test(text) && !INSERTS.test(text)) nameless.add(text.replace(/\s+/g, " "));
}

if (isFirst) {
  const query = Client.prototype.query as (...args: unknown[]) => unknown;
  Client.prototype.query = function watched(this: Client, ...args: unknown[]) {
    const [first] = args as [string | QueryConfig | undefined];
    note(this, typeof first === "string" ? first : (first?.text ?? ""));
    return query.apply(this, args);
  } as typeof Client.prototype.query;
}

afterEach(() => {
  const found = ATTACKS.test(expect.getState().testPath ?? "") ? [] : [...nameless];
  nameless.clear();
  expect(found, "statements of a shop's transaction that name no shop").toEqual([]);
});
