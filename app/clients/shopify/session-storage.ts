import { Session } from "@shopify/shopify-api";
import type { SessionStorage } from "@shopify/shopify-app-session-storage";
import { type ShopDomain, shopDomain } from "../../modules/kernel/ids.ts";
import { crashPoint } from "../../platform/crash-points.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import { withLease } from "../../platform/database/lease.ts";
import type { Sealer } from "../../platform/encryption/sealer.ts";
import { type Sealers, withShopSealer } from "../../platform/encryption/sealers.ts";
import type { Logger } from "../../platform/logger.ts";

/**
 * Trades a refresh token for a new session (@shopify/shopify-api's `auth.refreshToken`); null when Shopify does
 * not take the token any more. Throws when it could not be asked.
 */
export type RefreshSession = (shop: ShopDomain, refreshToken: string) => Promise<Session | null>;

type SessionRow = NonNullable<Awaited<ReturnType<Transaction["session"]["findUnique"]>>>;

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
 * connection of the database is occupied while Shopify is asked.
 */
export function createSessionStorage(options: {
  database: Database;
  sealers: Sealers;
  logger: Logger;
  refresh: RefreshSession;
  /**
   * Called before an offline session with a token is stored. A process that dies in between leaves a shop
   * without a session, which the merchant's next visit mends; a session of a shop that nobody noted as installed
   * would be found good at every visit, and the shop's orders would wait for ever.
   */
  beforeStored?: (session: Session) => Promise<void>;
}): Sessions {
  const { database, sealers, logger, refresh, beforeStored } = options;
  const { processPrisma: prisma, pool } = database;

  const withSealer = <T>(shop: string, work: (sealer: Sealer) => T): Promise<T> => {
    const known = shopDomain(shop);
    if (!known) throw new Error("A session must belong to a shop");
    return withShopSealer(sealers, known, work);
  };

  async function write(tx: Pick<Transaction, "session">, session: Session): Promise<void> {
    const data = await withSealer(session.shop, (sealer) => toColumns(session, sealer));
    const { id } = session;
    await tx.session.upsert({ where: { id }, create: { id, ...data }, update: data });
  }

  async function load(id: string): Promise<Session | undefined> {
    const row = await prisma.session.findUnique({ where: { id } });
    return row ? withSealer(row.shop, (sealer) => toSession(row, sealer)) : undefined;
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
      const next = await refresh(shop, session.refreshToken);
      crashPoint("session.after-refresh-before-store");
      const now = await load(id);
      // Replaced meanwhile, by a merchant who signed in or by somebody who thought this process dead.
      if (now && now.refreshToken !== session.refreshToken) return now;
      if (!next) {
        // Spent by somebody who died before storing the next one. Without a session the merchant's next visit
        // exchanges a new one; with this one every visit would fail.
        await prisma.$transaction([
          prisma.session.deleteMany({ where: { id } }),
          prisma.shop.updateMany({ where: { shop }, data: { accessRefusedAt: new Date() } }),
        ]);
        return undefined;
      }
      // Deleted meanwhile: the app was uninstalled, and must not come back by this.
      if (!now) return next;
      await prisma.$transaction(async (tx) => {
        await write(tx, next);
        // Scopes that were granted or taken back since the last exchange show here.
        if (next.scope !== undefined)
          await tx.shop.updateMany({ where: { shop }, data: { scope: next.scope } });
      });
      return next;
    });
  }

  return {
    async storeSession(session) {
      if (session.accessToken && !session.isOnline) await beforeStored?.(session);
      await write(prisma, session);
      return true;
    },
    async loadSession(id) {
      const session = await load(id);
      return session?.refreshToken && isAboutToExpire(session)
        ? refreshOnce(id, session.shop)
        : session;
    },
    async expire({ id, expires = null }) {
      await prisma.session.updateMany({ where: { id, expires }, data: { expires: new Date() } });
    },
    async deleteSession(id) {
      await prisma.session.deleteMany({ where: { id } });
      return true;
    },
    async deleteSessions(ids) {
      await prisma.session.deleteMany({ where: { id: { in: ids } } });
      return true;
    },
    async findSessionsByShop(shop) {
      const rows = await prisma.session.findMany({ where: { shop } });
      return withSealer(shop, (sealer) => rows.map((row) => toSession(row, sealer)));
    },
  };
}

function isAboutToExpire(session: Session): boolean {
  return !session.isOnline && session.isExpired(REFRESH_WITHIN_MS);
}

const tokenField = (id: string, column: string) => ({ table: "sessions", column, row: id });

function toColumns(session: Session, sealer: Sealer) {
  const sealed = (column: string, token: string | undefined) =>
    token ? sealer.seal(tokenField(session.id, column), token) : null;
  return {
    shop: session.shop,
    state: session.state ?? "",
    isOnline: session.isOnline,
    scope: session.scope ?? null,
    expires: session.expires ?? null,
    accessTokenSealed: sealed("access_token", session.accessToken),
    refreshTokenSealed: sealed("refresh_token", session.refreshToken),
    refreshTokenExpires: session.refreshTokenExpires ?? null,
  };
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
