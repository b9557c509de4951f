import { randomUUID } from "node:crypto";
import { readEvent } from "../../app/clients/referral-service/events/read-event.ts";
import { sealBody } from "../../app/modules/kernel/postgres/inbox.ts";
import { handleServiceEvent } from "../../app/modules/referrals/handle-service-event.ts";
import type { TestDatabase } from "./database.ts";
import { startRequest } from "./request.ts";
import { referralSnapshot } from "./snapshots.ts";

/** A request, and a way in for events about its referral. */
export async function startEvents(db: TestDatabase) {
  const request = await startRequest(db);
  const { shop, clock } = request;
  const uuid = randomUUID();
  const ports = { ...request.ports, readEvent: (body: Buffer) => readEvent(body, {}) };
  return {
    ...request,
    uuid,
    async receive(body: unknown): Promise<() => ReturnType<typeof handleServiceEvent>> {
      const envelope = { source: "service", topic: "staging", eventId: randomUUID() };
      const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
      const sealed = sealBody(await db.sealers.forShop(shop), envelope, bytes);
      const { rows } = await db.pool.query<{ id: string }>(
        `INSERT INTO inbox (shop, source, topic, event_id, body_sealed, received_at)
         VALUES ($1, 'service', 'staging', $2, $3, $4) RETURNING id`,
        [shop, envelope.eventId, sealed, clock.now()],
      );
      const inboxId = rows[0]?.id ?? "";
      return () => handleServiceEvent(ports, { shop, inboxId });
    },
    event: (type: string) => ({ id: randomUUID(), type, data: { uuid } }),
    /** Stores the last fetch of the referral with this status, and returns when. */
    store: (status: string) =>
      db.tenancy.inShop(shop, (tenant) =>
        tenant.referrals.save(
          "staging",
          request.requestId,
          referralSnapshot({ uuid, status }),
          clock.now(),
        ),
      ),
    async waiting() {
      const { rows } = await db.pool.query<{ name: string; key: string; at: Date }>(
        `SELECT name, singleton_key AS key, start_after AS at FROM outbox
         WHERE shop = $1 AND name <> 'resolve-ambiguous' ORDER BY id`,
        [shop],
      );
      return rows;
    },
  };
}
