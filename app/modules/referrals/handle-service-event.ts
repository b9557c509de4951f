import { crashPoint } from "../../platform/crash-points.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { InboxMessage, ToldEvent } from "../kernel/inbox.ts";
import { ENVIRONMENTS, type Environment } from "../shops/connection.ts";
import { SELF_TEST_PREFIX } from "../shops/self-test.ts";
import type { ServiceEventReader, ServiceHint } from "./event-types.ts";
import { afterRest, isAnswered, pauseAfter } from "./events/refetch-pause.ts";
import { looksAt, subjectOf } from "./follow-event.ts";
import type { Ports } from "./ports.ts";
import { lastFetchOfReferral } from "./refetch-when-due.ts";
import type { Tenant } from "./tenant.ts";

/** `known`: it tells what a create call has told already. `postponed`: a create call may be about to tell it. */
export type ServiceEventOutcome = "queued" | "sync" | "gone" | "known" | "postponed" | "self_test";

/** How long an answer to a create call may come after the event that speaks of the same referral. */
export const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Turns one stored event into the refetch it hints at, where the relay could not (queue/inbox-router.ts). One that cannot
 * be read, or that names nothing, has the whole list looked through instead. Many events for one resource collapse into
 * two refetches: one at once, and one that sees what all of them told.
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
    const environment = environmentOf(message.topic);
    if (message.eventId.startsWith(SELF_TEST_PREFIX)) {
      const told = { eventType: null, about: null, ledTo: "self_test" } as const;
      await tenant.inbox.finish(inboxId, "done", told);
      return "self_test";
    }
    const event = { environment, message, hint: readEvent(message.body), now: clock.now() };
    return (await takeCreated(tenant, event)) ?? followHint(tenant, event);
  });
  crashPoint("events.after-commit");
  return outcome;
}

interface StoredEvent {
  environment: Environment;
  message: InboxMessage;
  hint: ServiceHint;
  now: Date;
}

/** Ends, or puts off, an event that tells only what our own create call tells. Null for every other one. */
async function takeCreated(
  tenant: Tenant,
  { environment, message, hint, now }: StoredEvent,
): Promise<"known" | "postponed" | null> {
  if (hint.kind !== "hint" || hint.eventType !== "referral.created" || !hint.referralUuid)
    return null;
  const told = await createdReferral(tenant, environment, hint.referralUuid);
  const timeoutEnds = new Date(message.receivedAt.getTime() + ANSWER_TIMEOUT_MS);
  if (told === "perhaps soon" && now < timeoutEnds) {
    const again = { name: "handle-service-event", shop: tenant.shop, inboxId: message.id } as const;
    await tenant.jobs.enqueue(again, { startAfter: timeoutEnds });
    return "postponed";
  }
  if (told !== "known") return null;
  await tenant.inbox.finish(message.id, "done", { ...subjectOf(hint), ledTo: "nothing" });
  await tenant.connections.recordEvent(environment, { at: now, isReadable: true });
  return "known";
}

/** Queues the refetches that an event hints at, or the comparison of the whole list, and ends the event. */
async function followHint(
  tenant: Tenant,
  { environment, message, hint, now }: StoredEvent,
): Promise<"queued" | "sync"> {
  const target = { shop: tenant.shop, environment };
  let ledTo: ToldEvent["ledTo"] = "nothing";
  const isReadable = hint.kind === "hint";
  const { referralUuid = null, resultUuid = null } = hint.kind === "hint" ? hint : {};
  const stored = resultUuid === null ? null : await tenant.results.find(resultUuid);
  const looks = hint.kind === "hint" ? looksAt(hint, target, { isNew: stored === null }) : [];
  for (const { job, restMs } of looks) {
    const isOfResult = job.name === "refetch-result";
    const lastFetch = isOfResult ? stored?.fetchedAt : await lastFetchOfReferral(tenant, job.uuid);
    if (isAnswered(message.receivedAt, lastFetch, now)) continue;
    ledTo = "fetch";
    const notBefore = pauseAfter(lastFetch, now) ?? afterRest(restMs, now);
    await tenant.jobs.enqueue(job, notBefore ? { notBefore } : {});
  }
  const names = referralUuid ?? resultUuid;
  if (!names) {
    ledTo = "comparison";
    await tenant.jobs.enqueue({ name: "sync-connection", ...target });
  }
  const state = isReadable ? "done" : "unreadable";
  await tenant.inbox.finish(message.id, state, { ...subjectOf(hint), ledTo });
  // Last, for every event of the connection waits for whoever has this row.
  await tenant.connections.recordEvent(environment, { at: now, isReadable });
  crashPoint("events.before-commit");
  return names ? "queued" : "sync";
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

function environmentOf(topic: string): Environment {
  const environment = ENVIRONMENTS.find((one) => one === topic);
  if (!environment) throw new Error("An event was stored without its environment");
  return environment;
}
