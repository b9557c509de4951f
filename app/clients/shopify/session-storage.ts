import { HttpResponseError, Session } from "@shopify/shopify-api";
import type { SessionStorage } from "@shopify/shopify-app-session-storage";
import { type ShopDomain, shopDomain } from "../../modules/kernel/ids.ts";
import { crashPoint } from "../../platform/crash-points.ts";
import type { Database } from "../../platform/database/database.ts";
import { withLease } from "../../platform/database/lease.ts";
import type { Sealer } from "../../platform/encryption/sealer.ts";
import { type Sealers, withShopSealer } from "../../platform/encryption/sealers.ts";
import { errorCode } from "../../platform/error-code.ts";
import type { Logger } from "../../platform/logger.ts";
import { isOfTheApp } from "./app-refusal.ts";

/**
 * Trades a refresh token for a new session (@shopify/shopify-api's `auth.refreshToken`); null when Shopify does
 * not take the token any more, "unexplained" when it refuses it under a code that is not known. Throws when it could not be asked.
 */
export type RefreshSession = (
  shop: ShopDomain,
  refreshToken: string,
) => Promise<Session | "unexplained" | null>;

interface SessionRow {
  id: string;
  shop: string;
  state: string;
  isOnline: boolean;
  scope: string | null;
  expires: Date | null;
  accessTokenSealed: Buffer | null;
  refreshTokenSealed: Buffer | null;
  refreshTokenExpires: Date | null;
}

const COLUMNS = `id, shop, state, is_online AS "isOnline", scope, expires, access_token_sealed AS "accessTokenSealed",
  refresh_token_sealed AS "refreshTokenSealed", refresh_token_expires AS "refreshTokenExpires"`;

/**
 * A session of a shop that is not noted as installed is none: with it the merchant's visits would bring nothing back, for they
 * would find it good. The visit exchanges a new one, which installs.
 */
const OF_INSTALLED =
  "EXISTS (SELECT FROM shops WHERE shops.shop = sessions.shop AND uninstalled_at IS NULL)";

const STORE = `INSERT INTO sessions (id, shop, state, is_online, scope, expires, access_token_sealed, refresh_token_sealed,
                                     refresh_token_expires, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())
  ON CONFLICT (shop, id) DO UPDATE SET state = $3, is_online = $4, scope = $5, expires = $6, access_token_sealed = $7,
    refresh_token_sealed = $8, refresh_token_expires = $9, updated_at = now(), renewing_since = NULL`;

/**
 * Stores a renewed session in the place of the one that was renewed. A leaving deletes that one, and a sign-in ends its renewal:
 * what either of them left stays as it is.
 */
const STORE_RENEWED = `UPDATE sessions SET state = $3, is_online = $4, scope = $5, expires = $6, access_token_sealed = $7,
    refresh_token_sealed = $8, refresh_token_expires = $9, updated_at = now(), renewing_since = NULL
  WHERE id = $1 AND shop = $2 AND renewing_since IS NOT NULL`;

/** Ends a session whose renewal was refused, and notes it with that: neither once a sign-in has replaced it. */
const END_REFUSED = `
  WITH ended AS (
    DELETE FROM sessions WHERE id = $1 AND shop = $2 AND renewing_since IS NOT NULL RETURNING shop
  )
  UPDATE shops SET access_refused_at = now() FROM ended
  WHERE shops.shop = ended.shop AND other_store_id IS NULL AND $3::boolean`;

/** Notes that a session's refresh token is about to be sent; tells whether it may have been sent, and spent, before. */
const BEGIN_RENEWAL = `
  UPDATE sessions s SET renewing_since = now()
  FROM (SELECT renewing_since FROM sessions WHERE id = $1 AND shop = $2 FOR UPDATE) before
  WHERE s.id = $1 AND s.shop = $2 RETURNING before.renewing_since IS NOT NULL AS "mayBeSpent"`;

export interface Sessions extends SessionStorage {
  /**
   * Has a session renewed before its next use, because Shopify did not take its token. One that was replaced meanwhile stays
   * as it is.
   */
  expire(session: Session): Promise<void>;
}

/** The library refreshes within 5 minutes of expiry and without a lock; we are there first, with one. */
const REFRESH_WITHIN_MS = 6 * 60_000;

/**
 * Sessions with their tokens sealed. Loading an offline session that is about to expire refreshes it under a
 * lease: a refresh token works once, and twenty requests in several processes may ask at the same time. No
 * connection of the database is occupied while Shopify is asked. Its few statements are written out: a second database client beside
 * the shops' one would hold 10 MB in each process.
 */
export function createSessionStorage(options: {
  database: Pick<Database, "pool">;
  sealers: Sealers;
  logger: Logger;
  refresh: RefreshSession;
  /**
   * Called before an offline session with a token is stored. A process that dies in between leaves a shop without a
   * session, which the merchant's next visit mends. The other way round, a session of a shop that nobody noted as installed
   * would be found good at every visit, and the shop's orders would wait for ever. False: it is not to be stored.
   */
  beforeStored?: (session: Session) => Promise<boolean>;
}): Sessions {
  const { sealers, logger, refresh, beforeStored } = options;
  const { pool } = options.database;

  const toRow = (session: Session) => {
    const shop = shopOf(session.id);
    if (shop !== session.shop)
      throw new Error("A session must belong to the shop that its id names");
    return withShopSealer(sealers, shop, (sealer) => toValues(session, sealer));
  };

  async function load(id: string): Promise<Session | undefined> {
    const shop = shopOf(id);
    if (!shop) return undefined;
    const { rows } = await pool.query<SessionRow>({
      ...{
        name: "session",
        text: `SELECT ${COLUMNS} FROM sessions WHERE id = $1 AND shop = $2 AND ${OF_INSTALLED}`,
        values: [id, shop],
      },
    });
    const [row] = rows;
    return row ? withShopSealer(sealers, shop, (sealer) => toSession(row, sealer)) : undefined;
  }

  // Callers in this process share one refresh.
  const underWay = new Map<string, Promise<Session | undefined>>();
  function refreshOnce(id: string, shop: string): Promise<Session | undefined> {
    const shared = underWay.get(id) ?? refreshed(id, shop).finally(() => underWay.delete(id));
    underWay.set(id, shared);
    return shared;
  }

  async function refreshed(id: string, ofShop: string): Promise<Session | undefined> {
    return withLease({ pool, logger }, { shop: ofShop, name: "session" }, async () => {
      const session = await load(id);
      const shop = session && shopDomain(session.shop);
      // Another holder of the lease has refreshed the token already.
      if (!shop || !session.refreshToken || !isAboutToExpire(session)) return session;
      crashPoint("session.before-refresh");
      const mayBeSpent = await beginRenewal(id, shop);
      const next = await refresh(shop, session.refreshToken).catch(async (error) => {
        // A note of before this try stays: only this one did not reach Shopify.
        if (!mayBeSpent && isNotTaken(error)) await endRenewal(id, shop);
        throw error;
      });
      crashPoint("session.after-refresh-before-store");
      const now = await load(id);
      // Replaced meanwhile, by a merchant who signed in or by somebody who thought this process dead.
      if (now && now.refreshToken !== session.refreshToken) return now;
      // It may be over, or for good. Meanwhile there is no session: a merchant's visit exchanges another.
      if (next === "unexplained") return undefined;
      if (!next) {
        // Without a session the merchant's next visit exchanges a new one; with this one every visit would fail. The refusal
        // says that the app has gone, unless the token was spent by somebody who died before storing the next one, or is of
        // another store that has the name: nothing of that one changes the former's row.
        await pool.query(END_REFUSED, [id, shop, !mayBeSpent]);
        return undefined;
      }
      // Deleted meanwhile: the app was uninstalled, and must not come back by this.
      if (!now) return next;
      const { rowCount } = await pool.query(STORE_RENEWED, await toRow(next));
      if (!rowCount) return (await load(id)) ?? next;
      // Scopes that were granted or taken back since the last exchange show here.
      await pool.query(
        "UPDATE shops SET scope = $1 WHERE shop = $2 AND other_store_id IS NULL AND $1::text IS NOT NULL",
        [next.scope ?? null, shop],
      );
      return next;
    });
  }

  async function beginRenewal(id: string, shop: ShopDomain): Promise<boolean> {
    const { rows } = await pool.query<{ mayBeSpent: boolean }>(BEGIN_RENEWAL, [id, shop]);
    return rows.some(({ mayBeSpent }) => mayBeSpent);
  }
  const endRenewal = (id: string, shop: ShopDomain) =>
    pool.query("UPDATE sessions SET renewing_since = NULL WHERE id = $1 AND shop = $2", [id, shop]);
  const deleteAll = async (ids: string[]) => {
    await pool.query(
      `DELETE FROM sessions USING unnest($1::text[], $2::text[]) AS gone (id, shop)
       WHERE sessions.id = gone.id AND sessions.shop = gone.shop`,
      [ids, ids.map(shopOf)],
    );
    return true;
  };

  return {
    async storeSession(session) {
      const isAsked = beforeStored && session.accessToken && !session.isOnline;
      if (isAsked && !(await beforeStored(session))) return false;
      await pool.query(STORE, await toRow(session));
      return true;
    },
    async loadSession(id) {
      const session = await load(id);
      return session?.refreshToken && isAboutToExpire(session)
        ? refreshOnce(id, session.shop)
        : session;
    },
    async expire({ id, shop, expires = null }) {
      await pool.query(
        `UPDATE sessions SET expires = now(), updated_at = now()
         WHERE id = $1 AND shop = $3 AND expires IS NOT DISTINCT FROM $2::timestamptz`,
        [id, expires, shop],
      );
    },
    deleteSession: (id) => deleteAll([id]),
    deleteSessions: deleteAll,
    async findSessionsByShop(asked) {
      const shop = shopDomain(asked);
      if (!shop) return [];
      const { rows } = await pool.query<SessionRow>(
        `SELECT ${COLUMNS} FROM sessions WHERE shop = $1 AND ${OF_INSTALLED}`,
        [shop],
      );
      return withShopSealer(sealers, shop, (sealer) => rows.map((row) => toSession(row, sealer)));
    },
  };
}

/** Failures before anything was written to Shopify. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"],
  "UND_ERR_CONNECT_TIMEOUT",
]);

/**
 * Statuses of whoever turns a call away before anybody acts on it: Shopify's own for a store that is frozen or locked, a proxy's that passes
 * on nothing of somebody unknown, and a limit's. Any other may stand in the place of an answer with the new token, as a filter's 404 or 451.
 */
const TURNED_AWAY: ReadonlySet<number> = new Set([402, 407, 423, 429]);

/**
 * Whether a refresh token was certainly not spent by a try that failed. In doubt it may have been: it is tried again all the same, and
 * a refusal of it does not end the shop's access.
 */
function isNotTaken(error: unknown): boolean {
  if (error instanceof HttpResponseError)
    return TURNED_AWAY.has(error.response.code) || isOfTheApp(error);
  return error instanceof Error && NOT_CONNECTED.has(errorCode(error.cause ?? error));
}

/**
 * The shop that a session's id names, as @shopify/shopify-api makes them for an app in the admin: `offline_SHOP`, and
 * `SHOP_USER` for a member of staff. Null for another id, of which no session is stored.
 */
const shopOf = (id: string): ShopDomain | null =>
  shopDomain(/^(?:offline_([^_]+)|([^_]+)_\d+)$/.exec(id)?.slice(1).join("") ?? "");

function isAboutToExpire(session: Session): boolean {
  return !session.isOnline && session.isExpired(REFRESH_WITHIN_MS);
}

const tokenField = (id: string, column: string) => ({ table: "sessions", column, row: id });

/** In the order of `STORE`. */
function toValues(session: Session, sealer: Sealer): unknown[] {
  const sealed = (column: string, token: string | undefined) =>
    token ? sealer.seal(tokenField(session.id, column), token) : null;
  return [
    ...[session.id, session.shop, session.state ?? "", session.isOnline, session.scope ?? null],
    session.expires ?? null,
    sealed("access_token", session.accessToken),
    sealed("refresh_token", session.refreshToken),
    session.refreshTokenExpires ?? null,
  ];
}

function toSession(row: SessionRow, sealer: Sealer): Session {
  const opened = (column: string, sealed: Uint8Array | null) =>
    sealed ? sealer.open(tokenField(row.id, column), sealed).toString("utf8") : undefined;
  return new Session({
    id: row.id,
    shop: row.shop,
    state: row.state,
    isOnline: row.isOnline,
    scope: row.scope ?? undefined,
    expires: row.expires ?? undefined,
    accessToken: opened("access_token", row.accessTokenSealed),
    refreshToken: opened("refresh_token", row.refreshTokenSealed),
    refreshTokenExpires: row.refreshTokenExpires ?? undefined,
  });
}
