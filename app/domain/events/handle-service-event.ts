import { ENVIRONMENTS, type Environment } from "../connections/connection.ts";
import { SELF_TEST_PREFIX } from "../connections/self-test.ts";
import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";

/** What an event of the service points at (interface §6). It is a hint: only a refetch tells what is true. */
export type ServiceHint =
  | { kind: "hint"; referralUuid: string | null; resultUuid: string | null }
  | { kind: "unreadable" };

/** Port: reads an event of the service, in whatever shape it comes. */
export type ServiceEventReader = (body: Buffer) => ServiceHint;

export type ServiceEventOutcome = "queued" | "tail" | "gone" | "self_test";

/**
 * Turns one stored event into the refetch it hints at. One that cannot be read, or that names nothing, has
 * the whole list looked through instead. Many events for one resource collapse into one refetch.
 */
export async function handleServiceEvent(
  {
    tenancy,
    clock,
    readEvent,
  }: Pick<Ports, "tenancy" | "clock"> & { readEvent: ServiceEventReader },
  { shop, inboxId }: { shop: ShopDomain; inboxId: string },
): Promise<ServiceEventOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const message = await tenant.inbox.find(inboxId);
    if (!message) return "gone";
    const environment = environmentOf(message.topic);
    if (message.eventId.startsWith(SELF_TEST_PREFIX)) {
      await tenant.inbox.finish(inboxId, "done");
      return "self_test";
    }
    const hint = readEvent(message.body);
    await tenant.connections.recordEvent(environment, clock.now());
    await tenant.inbox.finish(inboxId, hint.kind === "unreadable" ? "unreadable" : "done");
    const target = { shop, environment };
    if (hint.kind === "hint" && hint.referralUuid)
      await tenant.jobs.enqueue({ name: "refetch-referral", ...target, uuid: hint.referralUuid });
    if (hint.kind === "hint" && hint.resultUuid)
      await tenant.jobs.enqueue({ name: "refetch-result", ...target, uuid: hint.resultUuid });
    if (hint.kind === "hint" && (hint.referralUuid || hint.resultUuid)) return "queued";
    await tenant.jobs.enqueue({ name: "tail-connection", ...target });
    return "tail";
  });
}

function environmentOf(topic: string): Environment {
  const environment = ENVIRONMENTS.find((one) => one === topic);
  if (!environment) throw new Error("An event was stored without its environment");
  return environment;
}
