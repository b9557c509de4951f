import { isSealedShut } from "../../platform/key-troubles.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { queueMail } from "../kernel/queue-mail.ts";
import type { Environment } from "../shops/connection.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";
import { FIRST_ID, waitingInRange, waitingWith } from "./waiting-patients.ts";

/** Requests that one transaction looks at. */
const BATCH = 100;

type TellPorts = Pick<Ports, "tenancy" | "services" | "clock">;

/**
 * Tells every patient who waits for results that the shop can pass them on no more, and how they get them; and the merchant
 * who waits. The shop removed the app, or the service lets this connection in no more, or its credentials can't be read. Each owner of
 * an order is told once for each cause. Doing it again changes nothing. Rejects while the service does not answer.
 */
export async function tellWaiting(
  ports: TellPorts,
  { shop, environment }: { shop: ShopDomain; environment?: Environment },
): Promise<{ kind: "told"; waiting: number } | { kind: "nothing_to_tell" }> {
  const cause = await causeOf(ports, { shop, environment });
  return cause === null
    ? { kind: "nothing_to_tell" }
    : { kind: "told", waiting: await tellAll(ports, { shop, cause, environment }) };
}

/** The same for a shop that is known to have left, and whose data is to be destroyed. Returns how many mails are not out. */
export async function tellBeforeErasure(
  ports: Pick<TellPorts, "tenancy" | "clock">,
  shop: ShopDomain,
): Promise<number> {
  const left = await ports.tenancy.inShop(shop, leftOf);
  if (left === null) return 0;
  await tellAll(ports, { shop, cause: left });
  return ports.tenancy.inShop(shop, async (tenant) => {
    let count = 0;
    for (const { kind, occurrence, requestId } of await tenant.notifications.unsent()) {
      if (kind !== "results_elsewhere" || occurrence !== left) continue;
      const request = await tenant.requests.find(requestId);
      // One that has its results meanwhile is not told any more.
      if (request && (await waitingWith(tenant, request)).length > 0) count++;
    }
    return count;
  });
}

/** Each time that a shop leaves is a cause of its own; null while it has the app. */
async function leftOf(tenant: Tenant): Promise<string | null> {
  const shop = await tenant.shops.find();
  return shop && !shop.installed ? `left ${shop.epoch}` : null;
}

async function causeOf(
  { tenancy, services }: TellPorts,
  { shop, environment }: { shop: ShopDomain; environment?: Environment },
): Promise<string | null> {
  const left = await tenancy.inShop(shop, leftOf);
  if (left !== null || !environment) return left;
  const cutOff = `cut off ${environment}`;
  try {
    const service = await services.forConnection(shop, environment);
    if (!service) return cutOff;
    await service.listBundles();
    return null;
  } catch (error) {
    if (isUnauthorized(error) || isSealedShut(error)) return cutOff;
    throw error;
  }
}

/** Whether the service refuses the credentials, and not only this call. */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof Error && "failure" in error && error.failure === "unauthorized";

async function tellAll(
  { tenancy, clock }: Pick<TellPorts, "tenancy" | "clock">,
  { shop, cause, environment }: { shop: ShopDomain; cause: string; environment?: Environment },
): Promise<number> {
  let from: string | null = FIRST_ID;
  let count = 0;
  while (from !== null) {
    const range = { from, until: null };
    const step: { last: string | null; count: number } = await tenancy.inShop(
      shop,
      async (tenant) => {
        const { waiting, last } = await waitingInRange(tenant, range, BATCH);
        const theirs = waiting.filter(
          ({ request }) => !environment || request.environment === environment,
        );
        for (const { request } of theirs) {
          // The first of an order's units stands for those of the same owner.
          const [first] = await waitingWith(tenant, request);
          if (first?.request.id !== request.id) continue;
          await note(tenant, "results_elsewhere", { requestId: request.id, cause }, clock.now());
          // One list for the merchant, whichever unit it hangs on.
          if (!(await tenant.notifications.isNoted("patients_waiting", cause)))
            await note(tenant, "patients_waiting", { requestId: request.id, cause }, clock.now());
        }
        return { last, count: theirs.length };
      },
    );
    count += step.count;
    from = step.last === from ? null : step.last;
  }
  return count;
}

async function note(
  tenant: Tenant,
  kind: "results_elsewhere" | "patients_waiting",
  { requestId, cause }: { requestId: string; cause: string },
  now: Date,
): Promise<void> {
  await queueMail(tenant, { requestId, kind, occurrence: cause }, { now });
}
