import { onTestFinished } from "vitest";
import { createReferralServiceClient } from "../../app/clients/referral-service/client.ts";
import { sharedConnections } from "../../app/clients/referral-service/http/transport.ts";
import { createTokenSource } from "../../app/clients/referral-service/tokens/token-source.ts";
import type { ShopDomain } from "../../app/modules/kernel/ids.ts";
import { createTimelineEnder } from "../../app/modules/privacy/postgres/timeline-ender.ts";
import type { ReferralServices } from "../../app/modules/referrals/ports.ts";
import type { RequestState } from "../../app/modules/referrals/request.ts";
import type { ShopSettings } from "../../app/modules/shops/shop.ts";
import { createLogger } from "../../app/platform/logger.ts";
import type { Ports } from "../../app/ports.ts";
import { type MovableClock, movableClock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { EMPTY_JOURNAL } from "./empty-journal.ts";
import { IN_DATABASE } from "./in-database.ts";
import { installedShop } from "./seed.ts";
import { type SmallService, startSmallService } from "./small-service.ts";

export const QUARANTINE_MS = 15 * 60_000;
export const CREATE_TIMEOUT_MS = 600;

export type LedgerPorts = Pick<
  Ports,
  | "tenancy"
  | "services"
  | "clock"
  | "waits"
  | "logger"
  | "emailByService"
  | "attachments"
  | "documentBodies"
  | "orderRisk"
  | "timelineEnder"
  | "mailJournal"
>;

export interface Ledger {
  shop: ShopDomain;
  clock: MovableClock;
  service: SmallService;
  ports: LedgerPorts;
  state(requestId: string): Promise<RequestState | undefined>;
  /** Reads the request's timeline, oldest first. */
  story(requestId: string): Promise<string[]>;
  /** Names of the jobs that are waiting to be handed on; takes them away. */
  takeJobs(): Promise<string[]>;
}

/** An installed shop whose connection leads to a real, small service over HTTP, by the app's own client. */
export async function startLedger(
  db: TestDatabase,
  settings: Partial<ShopSettings> = {},
): Promise<Ledger> {
  const shop = await installedShop(db, settings);
  const clock = movableClock();
  const service = await startSmallService(clock.now);
  onTestFinished(() => service.close());
  const ports: LedgerPorts = {
    tenancy: db.tenancy,
    services: servicesAt(service.url, clock),
    clock,
    waits: {
      createTimeoutMs: CREATE_TIMEOUT_MS,
      quarantineMs: QUARANTINE_MS,
      documentOverdueMs: 600_000,
      erasureDelayMs: 0,
      syncIntervalMs: 60_000,
      reminderDayMs: 86_400_000,
      mailWindowMs: 0,
      escalationHourMs: 3_600_000,
    },
    logger: createLogger("silent"),
    emailByService: false,
    orderRisk: { assess: async () => "clear" },
    documentBodies: IN_DATABASE,
    mailJournal: EMPTY_JOURNAL,
    timelineEnder: createTimelineEnder(db.pool),
    attachments: { download: async () => ({ kind: "gone", reason: "no PDF in this test" }) },
  };
  return {
    shop,
    clock,
    service,
    ports,
    state: (id) => db.tenancy.inShop(shop, async (t) => (await t.requests.find(id))?.state),
    async story(id) {
      const { rows } = await db.pool.query<{ kind: string }>(
        "SELECT kind FROM timeline WHERE shop = $1 AND request_id = $2 ORDER BY id",
        [shop, id],
      );
      return rows.map((row) => row.kind);
    },
    async takeJobs() {
      const { rows } = await db.pool.query<{ id: string; name: string }>(
        "DELETE FROM outbox WHERE shop = $1 RETURNING id, name",
        [shop],
      );
      return rows.toSorted((a, b) => Number(a.id) - Number(b.id)).map((row) => row.name);
    },
  };
}

/** The app's client at an address, whatever the connection. */
export function servicesAt(
  url: string,
  clock: MovableClock,
  timeouts: { createMs?: number; otherMs?: number } = { createMs: CREATE_TIMEOUT_MS },
): ReferralServices {
  const transport = sharedConnections();
  const client = createReferralServiceClient({
    environment: "staging",
    baseUrl: url,
    vendor: "service",
    transport,
    clock,
    timeouts,
    tokens: createTokenSource({
      authUrl: url,
      credentials: { clientId: "id", clientSecret: "secret" },
      store: { read: async () => null, write: async () => {} },
      lock: (work) => work(),
      transport,
      clock,
    }),
  });
  return { forConnection: async () => client };
}
