import { parseArgs } from "node:util";
import type pg from "pg";
import { type ShopDomain, shopDomain } from "../modules/kernel/ids.ts";
import { countOf } from "../modules/kernel/words.ts";
import { asksForHelp, CommandError, connect, recordCommand } from "./open-command.ts";

const USAGE =
  "Say `npm run redactions` to see what is held. The customer asked again: `npm run redactions destroy -- --shop one.myshopify.com --request ID`. They did not: `npm run redactions keep -- --shop one.myshopify.com --request ID`.";

/** An open redaction that says how much newer data it leaves (modules/privacy/postgres/held-redactions.ts). */
const IS_HELD = "kind = 'customer_redacted' AND done_at IS NULL AND receipt ? 'newer'";

/** Shopify gives so long for a redaction. */
const DAYS = 30;

type Say = (line: string) => void;

interface Wish {
  /** Null: to list what is held. */
  end: { command: "destroy" | "keep"; shop: ShopDomain; request: string } | null;
  databaseUrl: string | undefined;
}

/**
 * Does what `npm run redactions` is asked for (redactions.ts), with the login of the database's owner. Returns the exit code. Throws
 * `CommandError` for a wrong call.
 */
export async function runRedactions(args: string[], say: Say): Promise<number> {
  if (asksForHelp(args)) {
    say(USAGE);
    return 0;
  }
  const { end, databaseUrl } = readArguments(args);
  const client = await connect(databaseUrl);
  try {
    if (!end) return await list(client, say);
    await client.query("BEGIN");
    const isEnded = await (end.command === "destroy" ? destroy : keep)(client, end);
    if (!isEnded) throw new CommandError(`No such request is held. ${USAGE}`);
    const { command, ...detail } = end;
    await recordCommand(client, `redactions ${command}`, detail);
    await client.query("COMMIT");
    say(
      end.command === "destroy"
        ? "A worker destroys all of it within seconds: the shop’s settings, Privacy requests, then say that it is done."
        : "It is ended. All that came before was deleted, and what is newer is kept.",
    );
    return 0;
  } finally {
    await client.end();
  }
}

function readArguments(args: string[]): Wish {
  const { values, positionals } = parse(args);
  const { shop: name, request, "database-url": databaseUrl } = values;
  const [command, ...more] = positionals;
  if (command === undefined && !name && !request) return { end: null, databaseUrl };
  const shop = shopDomain(name ?? "");
  const isCommand = command === "destroy" || command === "keep";
  if (!isCommand || more.length > 0 || !shop || !request || !/^\d{1,18}$/.test(request))
    throw new CommandError(USAGE);
  return { end: { command, shop, request }, databaseUrl };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        shop: { type: "string" },
        request: { type: "string" },
        "database-url": { type: "string" },
      },
    });
  } catch {
    // An option that nobody knows: the sentence says which there are.
    throw new CommandError(USAGE);
  }
}

interface Held {
  shop: string;
  request: string;
  asked: string;
  due: string;
  newer: number;
}

/** Exit code 1 while something waits, as a check that is run each day wants it. */
async function list(client: pg.Client, say: Say): Promise<number> {
  const { rows } = await client.query<Held>(
    `SELECT shop, inbox_id::text AS request, (receipt->>'newer')::int AS newer,
            to_char(opened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS asked,
            to_char(opened_at AT TIME ZONE 'UTC' + $1 * interval '1 day', 'YYYY-MM-DD') AS due
     FROM privacy_requests WHERE ${IS_HELD} ORDER BY opened_at`,
    [DAYS],
  );
  for (const { shop, request, asked, due, newer } of rows)
    say(
      `${shop} request ${request}: asked on ${asked}, ends by ${due}, ${countOf(newer, "newer thing")} ${newer === 1 ? "is" : "are"} kept`,
    );
  say(rows.length === 0 ? "Nothing is held." : USAGE);
  return rows.length === 0 ? 0 : 1;
}

/** The job reads the word, and destroys what is newer too. */
async function destroy(client: pg.Client, { shop, request }: NonNullable<Wish["end"]>) {
  const { rowCount } = await client.query(
    `WITH wanted AS (
       UPDATE privacy_requests SET receipt = '{"wanted": 1}'
       WHERE shop = $1 AND inbox_id = $2 AND ${IS_HELD} RETURNING shop, inbox_id
     )
     INSERT INTO outbox (shop, name, singleton_key, payload)
     SELECT shop, 'do-privacy-request', shop || ' ' || inbox_id,
            jsonb_build_object('shop', shop, 'inboxId', inbox_id::text) FROM wanted`,
    [shop, request],
  );
  return rowCount === 1;
}

async function keep(client: pg.Client, { shop, request }: NonNullable<Wish["end"]>) {
  const { rowCount } = await client.query(
    `UPDATE privacy_requests SET done_at = now(), receipt = '{"kept": "cancelled"}', customer_id = NULL
     WHERE shop = $1 AND inbox_id = $2 AND ${IS_HELD}`,
    [shop, request],
  );
  return rowCount === 1;
}
