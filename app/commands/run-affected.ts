import { open, rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { stringify } from "csv-stringify/sync";
import type pg from "pg";
import { PEOPLE, SAVED_PATIENT_KINDS } from "../modules/kernel/access-log.ts";
import { gid, type ShopDomain, shopDomain } from "../modules/kernel/ids.ts";
import { countOf } from "../modules/kernel/words.ts";
import { errorCode } from "../platform/error-code.ts";
import {
  asksForHelp,
  CommandError,
  connect,
  inSnapshot,
  ownersAddress,
  recordCommand,
} from "./open-command.ts";
import { readContacts } from "./read-contacts.ts";

const USAGE =
  "Say `npm run affected -- --since 2026-11-01T00:00:00Z --shop one.myshopify.com [--until …] [--who …] [--actor staff:…] [--contacts FILE]`.";

/** One test, or one saved patient, whose data was seen, taken or changed: ids, and how. */
interface Affected {
  request_id: string | null;
  saved_patient_id: string | null;
  order: string | null;
  customer_id: string | null;
  owner: string | null;
  redacted: boolean;
  accesses: number;
  what: string;
  who: string;
  first: string;
  last: string;
}

interface Wish {
  shop: ShopDomain;
  since: Date;
  until: Date | null;
  who: string | null;
  actor: string | null;
}

/**
 * Lists whom a data breach may have reached (docs/breach-runbook.md). Returns the exit code. The command is written down
 * before anything is told. Throws `CommandError` for a wrong call.
 */
export async function runAffected(args: string[], say: (line: string) => void): Promise<number> {
  if (asksForHelp(args)) {
    say(USAGE);
    return 0;
  }
  const { wish, contacts, databaseUrl } = readArguments(args);
  const client = await connect(databaseUrl);
  try {
    const { since, until, ...detail } = wish;
    await recordCommand(client, "affected", {
      ...detail,
      ...{ since: since.toISOString(), until: until?.toISOString() ?? null },
      contacts: contacts !== null,
    });
    await requireKnown(client, wish.shop);
    const rows = await inSnapshot(client, () => listAffected(client, wish));
    say(stringify(rows, { header: true, columns: COLUMNS }).trimEnd());
    const tests = rows.flatMap((row) => row.request_id ?? []);
    const saved = rows.length - tests.length;
    process.stderr.write(
      `${countOf(tests.length, "test")}${saved > 0 ? ` and ${countOf(saved, "saved patient")}` : ""} of ${wish.shop} in the access log from ${since.toISOString()} to ${until?.toISOString() ?? "now"}.\n`,
    );
    if (contacts) {
      const count = await writeContacts(contacts, () =>
        readContacts(ownersAddress(databaseUrl), {
          ...{ shop: wish.shop, requestIds: tests, savedPatients: stillSaved(rows) },
          masterKeys: process.env.PATHWAY_MASTER_KEYS,
        }),
      );
      process.stderr.write(
        `Contact details of ${countOf(count, "person", "people")} are in ${contacts}.\n`,
      );
    }
    return 0;
  } finally {
    await client.end();
  }
}

/** Makes the file before anybody's details are opened, and leaves none where they could not be. Returns how many there are. */
async function writeContacts(path: string, read: () => Promise<unknown[]>): Promise<number> {
  const file = await open(path, "wx", 0o600).catch((error: unknown) => {
    throw new CommandError(
      `${path} cannot be written (${errorCode(error)}): name a new file in a folder that is there.`,
    );
  });
  try {
    const found = await read();
    await file.writeFile(JSON.stringify(found, null, 2));
    return found.length;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** A typing error in a shop's name, or another database, must not read as a breach that reached nobody. */
async function requireKnown(client: pg.Client, shop: ShopDomain): Promise<void> {
  const { rows } = await client.query<{ isKnown: boolean }>(
    `SELECT EXISTS (SELECT FROM shops WHERE shop = $1)
         OR EXISTS (SELECT FROM access_log WHERE shop = $1) AS "isKnown"`,
    [shop],
  );
  if (!rows[0]?.isKnown)
    throw new CommandError(
      `Nothing is known of ${shop} here. Is its name right, and is this the right database? One that was erased has no access log any more.`,
    );
}

/** Those of the saved patients whom their customer has not deleted. */
const stillSaved = (rows: Affected[]) =>
  rows.flatMap(({ saved_patient_id: id, customer_id: customerId }) =>
    id && customerId ? [{ id, customerId: gid("Customer", customerId) }] : [],
  );

const COLUMNS = [
  "request_id",
  "saved_patient_id",
  "order",
  "customer_id",
  "owner",
  "redacted",
  "accesses",
  "what",
  "who",
  "first",
  "last",
];

async function listAffected(client: pg.Client, wish: Wish): Promise<Affected[]> {
  const { rows } = await client.query<Affected>(
    `SELECT a.request_id, s.saved_patient_id, o.name AS order, coalesce(r.customer_id, p.customer_id) AS customer_id, r.owner,
            CASE WHEN a.request_id IS NULL THEN p.id IS NULL ELSE r.redacted_at IS NOT NULL END AS redacted,
            count(*)::int AS accesses, string_agg(DISTINCT a.what, ' ') AS what,
            string_agg(DISTINCT coalesce(a.actor, a.who), ' ') AS who,
            to_char(min(a.at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS first,
            to_char(max(a.at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS last
     FROM access_log a
     CROSS JOIN LATERAL (SELECT CASE WHEN a.request_id IS NULL THEN a.subject_id END AS saved_patient_id) s
     LEFT JOIN saved_patients p ON p.shop = a.shop AND p.id = s.saved_patient_id
     LEFT JOIN referral_requests r ON r.shop = a.shop AND r.id = a.request_id
     LEFT JOIN orders o ON o.shop = a.shop AND o.order_id = r.order_id
     WHERE a.shop = $1 AND (a.request_id IS NOT NULL OR a.what = ANY($6)) AND a.at >= $2 AND ($3::timestamptz IS NULL OR a.at < $3)
       AND ($4::text IS NULL OR a.who = $4) AND ($5::text IS NULL OR a.actor = $5) AND a.what NOT IN ('staff_refused', 'code_refused')
     GROUP BY a.request_id, s.saved_patient_id, o.name, r.customer_id, r.owner, r.redacted_at, p.id, p.customer_id
     ORDER BY min(a.at), a.request_id, s.saved_patient_id`,
    [wish.shop, wish.since, wish.until, wish.who, wish.actor, SAVED_PATIENT_KINDS],
  );
  return rows;
}

function readArguments(args: string[]): {
  wish: Wish;
  contacts: string | null;
  databaseUrl?: string;
} {
  const text = { type: "string" } as const;
  const options = {
    ...{ since: text, until: text, shop: text, who: text, actor: text, contacts: text },
    "database-url": text,
  };
  let values: Partial<Record<keyof typeof options, string>>;
  try {
    values = parseArgs({ args, options }).values;
  } catch {
    // An option that nobody knows: the sentence says which there are.
    throw new CommandError(USAGE);
  }
  const shop = shopDomain(values.shop ?? "");
  const since = moment(values.since);
  const until = values.until === undefined ? null : moment(values.until);
  const { who = null, actor = null, contacts = null } = values;
  if (!shop || !since || (values.until !== undefined && !until)) throw new CommandError(USAGE);
  const end = until ?? new Date();
  if (since >= end)
    throw new CommandError(
      `Nothing can have happened between ${since.toISOString()} and ${end.toISOString()}: put --since before --until.`,
    );
  if (who !== null && ![...PEOPLE, "job"].includes(who)) throw new CommandError(USAGE);
  const databaseUrl = values["database-url"];
  return {
    wish: { shop, since, until, who, actor },
    contacts,
    ...(databaseUrl && { databaseUrl }),
  };
}

function moment(text: string | undefined): Date | null {
  const at = new Date(text ?? "");
  return Number.isNaN(at.getTime()) ? null : at;
}
