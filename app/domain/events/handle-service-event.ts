import { crashPoint } from "../../lib/crash-points.ts";
import { ENVIRONMENTS, type Environment } from "../connections/connection.ts";
import { SELF_TEST_PREFIX } from "../connections/self-test.ts";
import type { ShopDomain } from "../ids.ts";
import type { InboxMessage } from "../inbox.ts";
import type { Ports } from "../ports.ts";
import type { Tenant } from "../tenant.ts";

/** What an event of the service points at (interface §6). It is a hint: only a refetch tells what is true. */
export type ServiceHint =
  | {
      kind: "hint";
      eventType: string;
      referralUuid: string | null;
      resultUuid: string | null;
    }
  | { kind: "unreadable" };

/** Port: reads an event of the service, in whatever shape it comes. */
export type ServiceEventReader = (body: Buffer) => ServiceHint;

/** `known`: it tells what a create call has told already. `postponed`: a create call may be about to tell it. */
export type ServiceEventOutcome = "queued" | "tail" | "gone" | "known" | "postponed" | "self_test";

/** What was fetched a moment ago is fetched again after this pause, once for all hints that come meanwhile. */
export const REFETCH_PAUSE_MS = 2_000;
/** Clocks of the database and of the processes may differ by this much. */
const CLOCK_TOLERANCE_MS = 1_000;
/** How long an answer to a create call may come after the event that speaks of the same referral. */
export const ANSWER_PATIENCE_MS = 30_000;

/**
 * Turns one stored event into the refetch it hints at. One that cannot be read, or that names nothing, has
 * the whole list looked through instead. Many events for one resource collapse into two refetches: one at once,
 * and one that sees what all of them told.
 */
export async function handleServiceEvent(
  {
    tenancy,
    clock,
    readEvent,
  }: Pick<Ports, "tenancy" | "clock"> & { readEvent: ServiceEventReader },
  { shop, inboxId }: { shop: ShopDomain; inboxId: string },
): Promise<ServiceEventOutcome> {
  const outcome = await tenancy.inShop(shop, async (tenant): Promise<ServiceEventOutcome> => {
    const message = await tenant.inbox.find(inboxId);
    if (!message) return "gone";
    const now = clock.now();
    const environment = environmentOf(message.topic);
    if (message.eventId.startsWith(SELF_TEST_PREFIX)) {
      await tenant.inbox.finish(inboxId, "done");
      return "self_test";
    }
    const hint = readEvent(message.body);
    if (hint.kind === "hint" && hint.eventType === "referral.created" && hint.referralUuid) {
      const told = await createdReferral(tenant, environment, hint.referralUuid);
      const patienceEnds = new Date(message.receivedAt.getTime() + ANSWER_PATIENCE_MS);
      if (told === "perhaps soon" && now < patienceEnds) {
        const again = { name: "handle-service-event", shop, inboxId } as const;
        await tenant.jobs.enqueue(again, { startAfter: patienceEnds });
        return "postponed";
      }
      if (told === "known") {
        await tenant.connections.recordEvent(environment, now);
        await tenant.inbox.finish(inboxId, "done");
        return "known";
      }
    }
    await tenant.connections.recordEvent(environment, now);
    await tenant.inbox.finish(inboxId, hint.kind === "unreadable" ? "unreadable" : "done");
    const target = { shop, environment };
    if (hint.kind === "hint" && hint.referralUuid) {
      const uuid = hint.referralUuid;
      const stored = await tenant.referrals.find(uuid);
      // What a create call answered is no refetch: its PDF, which comes next, must not wait.
      const lastFetch = stored?.status === "CREATED" ? null : stored?.fetchedAt;
      const job = { name: "refetch-referral", ...target, uuid } as const;
      if (!isSeen(message, lastFetch)) await tenant.jobs.enqueue(job, pause(lastFetch, now));
    }
    if (hint.kind === "hint" && hint.resultUuid) {
      const uuid = hint.resultUuid;
      const stored = await tenant.results.find(uuid);
      const job = { name: "refetch-result", ...target, uuid } as const;
      const lastFetch = stored?.fetchedAt;
      if (!isSeen(message, lastFetch)) await tenant.jobs.enqueue(job, pause(lastFetch, now));
    }
    const names = hint.kind === "hint" && (hint.referralUuid || hint.resultUuid);
    if (!names) await tenant.jobs.enqueue({ name: "tail-connection", ...target });
    crashPoint("events.before-commit");
    return names ? "queued" : "tail";
  });
  crashPoint("events.after-commit");
  return outcome;
}

/** "referral.created" tells nothing but that the referral exists; our own create call usually tells more. */
async function createdReferral(
  tenant: Tenant,
  environment: Environment,
  uuid: string,
): Promise<"known" | "perhaps soon" | "unknown"> {
  if (await tenant.referrals.find(uuid)) return "known";
  return (await tenant.requests.isAnySending(environment)) ? "perhaps soon" : "unknown";
}

/** The resource was asked for after the hint had arrived, by the clocks of this process and of the database. */
const isSeen = (message: InboxMessage, lastFetch: Date | null | undefined) =>
  lastFetch != null && lastFetch.getTime() - message.receivedAt.getTime() > CLOCK_TOLERANCE_MS;

function pause(lastFetch: Date | null | undefined, now: Date): { notBefore?: Date } {
  const notBefore = new Date((lastFetch?.getTime() ?? 0) + REFETCH_PAUSE_MS);
  return notBefore > now ? { notBefore } : {};
}

function environmentOf(topic: string): Environment {
  const environment = ENVIRONMENTS.find((one) => one === topic);
  if (!environment) throw new Error("An event was stored without its environment");
  return environment;
}
