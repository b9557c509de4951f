import { createReferral } from "../../app/modules/referrals/create-referral.ts";
import { resolveAmbiguous } from "../../app/modules/referrals/resolve-ambiguous.ts";
import type { ShopSettings } from "../../app/modules/shops/shop.ts";
import type { TestDatabase } from "./database.ts";
import { type LedgerPorts, startLedger } from "./ledger.ts";
import { readyRequest } from "./seed.ts";

/** A ledger with one request that is ready, and what can be done to it. */
export async function startRequest(db: TestDatabase, settings: Partial<ShopSettings> = {}) {
  const ledger = await startLedger(db, settings);
  const requestId = await readyRequest(db, ledger.shop);
  const target = { shop: ledger.shop, requestId };
  return {
    ...ledger,
    target,
    requestId,
    create: () => createReferral(ledger.ports, target),
    resolve: () => resolveAmbiguous(ledger.ports, target),
    find: () => db.tenancy.inShop(ledger.shop, (tenant) => tenant.requests.find(requestId)),
    now: () => ledger.state(requestId),
  };
}

/** Leaves what a process leaves that dies after its claim: the attempt is on disk, nothing else. */
export async function dieAfterClaim({
  ports,
  target,
}: {
  ports: LedgerPorts;
  target: Parameters<typeof createReferral>[1];
}): Promise<void> {
  const service = await ports.services.forConnection(target.shop, "staging");
  if (!service) throw new Error("the shop has no connection");
  const killed = { ...service, createReferral: () => Promise.reject(new Error("killed")) };
  const dying = { ...ports, services: { forConnection: async () => killed } };
  const outcome = await createReferral(dying, target).catch((error: unknown) => String(error));
  if (outcome !== "Error: killed") throw new Error(`it did not die: ${JSON.stringify(outcome)}`);
}
