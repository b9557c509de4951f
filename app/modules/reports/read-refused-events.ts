import type { Connection, Environment } from "../shops/connection.ts";
import type { Tenant } from "./tenant.ts";

const DAY_MS = 24 * 3_600_000;

/** Events of one connection whose signature was wrong. */
export interface RefusedEvents {
  /** So many came in the last 24 hours. */
  refusedEvents: number;
  /** Whether the last that came was one of them. */
  areEventsFailing: boolean;
}

/** Reads how many events of a connection were not believed lately, and whether that goes on. */
export async function readRefusedEvents(
  { accessLog }: Pick<Tenant, "accessLog">,
  environment: Environment,
  { connection, now }: { connection: Pick<Connection, "lastEventAt"> | null; now: Date },
): Promise<RefusedEvents> {
  const yesterday = new Date(now.getTime() - DAY_MS);
  const believedAt = connection?.lastEventAt ?? null;
  const since = believedAt && believedAt > yesterday ? believedAt : yesterday;
  const count = (from: Date) => accessLog.signaturesRefused("service_event", from, environment);
  return {
    refusedEvents: await count(yesterday),
    areEventsFailing: (await count(since)) > 0,
  };
}
