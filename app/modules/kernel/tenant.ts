import type { AccessLogRepository } from "./access-log.ts";
import type { AccessSealRepository } from "./access-seals.ts";
import type { BatchRepository } from "./batch.ts";
import type { ShopDomain } from "./ids.ts";
import type { InboxRepository } from "./inbox.ts";
import type { Job, JobQueue } from "./jobs.ts";
import type { NotificationRepository } from "./notification.ts";
import type { TimelineRepository } from "./timeline.ts";

/**
 * The repositories of this module, for one shop and inside one transaction. Each module's Tenant adds its own to
 * those of the modules below, so a use case sees its module and what stands under it, and no more.
 */
export interface Tenant {
  shop: ShopDomain;
  notifications: NotificationRepository;
  inbox: InboxRepository;
  batches: BatchRepository;
  timeline: TimelineRepository;
  accessLog: AccessLogRepository;
  accessSeals: AccessSealRepository;
  jobs: JobQueue<Job>;
}

/** Port: the database, through one shop's eyes, as far as a module sees it. */
export interface TenancyOf<RoomTenant> {
  /**
   * Runs `work` in one transaction that sees this shop only. All of it is committed, or nothing is.
   * No call to another system belongs inside, and nothing that is remembered outside: the database may take a
   * transaction back that waits for another one, and then `work` is done again.
   */
  inShop<T>(shop: ShopDomain, work: (tenant: RoomTenant) => Promise<T>): Promise<T>;
  /**
   * The same for a shop that somebody has only named, in an address or a bearer that nobody signed. Null when there is
   * nothing of such a shop here: it must not begin to exist by being asked about.
   */
  inKnownShop<T>(shop: ShopDomain, work: (tenant: RoomTenant) => Promise<T>): Promise<T | null>;
}
