import type { ShopDomain } from "../kernel/ids.ts";
import { testConnection } from "../lifecycle/test-connection.ts";
import type { Ports } from "./ports.ts";
import { REHEARSAL_STEPS, type Rehearsal, STEP_LIMIT_MS } from "./rehearsal.ts";
import { orderForRehearsal } from "./rehearsals/order-for-rehearsal.ts";
import { lookAtTheService, makeUpResults, type Progress } from "./rehearsals/watch-request.ts";

type RehearsalPorts = Pick<Ports, "tenancy" | "services" | "clock" | "logger">;

export type AdvanceOutcome = "went_on" | "waits" | "failed" | "finished" | "gone";

const LOOK_EVERY_MS = 1_000;

/**
 * Takes a rehearsal one step on, or looks again in a second. Each step is committed before the next, and doing
 * one twice does no harm, so a rehearsal goes on wherever a process died.
 */
export async function advanceRehearsal(
  ports: RehearsalPorts,
  { shop, rehearsalId }: { shop: ShopDomain; rehearsalId: string },
): Promise<AdvanceOutcome> {
  const { tenancy, clock } = ports;
  const { rehearsal, isInstalled } = await tenancy.inShop(shop, async (tenant) => {
    const settings = await tenant.shops.find();
    const found = await tenant.rehearsals.find(rehearsalId);
    return { rehearsal: found, isInstalled: settings?.installed === true };
  });
  if (!rehearsal) return "gone";
  if (rehearsal.finishedAt) return "finished";
  // Left open it would be in the way of every other one after the app's return.
  if (!isInstalled) return end(ports, shop, rehearsal, "uninstalled");
  const progress = await take(ports, shop, rehearsal);
  if (progress.kind === "failed") return end(ports, shop, rehearsal, progress.failure);
  const now = clock.now();
  if (progress.kind === "waits") {
    if (now.getTime() - rehearsal.stepSince.getTime() > STEP_LIMIT_MS)
      return end(ports, shop, rehearsal, `stuck:${rehearsal.step}`);
    await tenancy.inShop(shop, (tenant) =>
      tenant.jobs.enqueue(
        { name: "advance-rehearsal", shop, rehearsalId },
        { startAfter: new Date(now.getTime() + LOOK_EVERY_MS) },
      ),
    );
    return "waits";
  }
  const next = REHEARSAL_STEPS[REHEARSAL_STEPS.indexOf(rehearsal.step) + 1];
  if (!next) return end(ports, shop, rehearsal, null);
  await tenancy.inShop(shop, async (tenant) => {
    if (!(await tenant.rehearsals.advance(rehearsalId, rehearsal.step, next, now))) return;
    await tenant.jobs.enqueue({ name: "advance-rehearsal", shop, rehearsalId });
  });
  return "went_on";
}

async function take(
  ports: RehearsalPorts,
  shop: ShopDomain,
  rehearsal: Rehearsal,
): Promise<Progress> {
  switch (rehearsal.step) {
    case "connect":
      return connect(ports, shop);
    case "order":
      return orderForRehearsal(ports, shop, rehearsal);
    case "results":
      return makeUpResults(ports, shop, rehearsal);
    default:
      return lookAtTheService(ports, shop, rehearsal);
  }
}

async function connect(ports: RehearsalPorts, shop: ShopDomain): Promise<Progress> {
  const outcome = await testConnection(ports, { shop, environment: "staging" });
  switch (outcome.kind) {
    case "ok":
      return { kind: "done" };
    case "no_connection":
      return { kind: "failed", failure: "no_connection" };
    case "failed":
      return {
        kind: "failed",
        failure: `connection:${outcome.code}`,
      };
  }
}

async function end(
  { tenancy, clock }: RehearsalPorts,
  shop: ShopDomain,
  { id, startedAt, step }: Rehearsal,
  failure: string | null,
): Promise<AdvanceOutcome> {
  await tenancy.inShop(shop, async (tenant) => {
    const connection = await tenant.connections.find("staging");
    const heardEvents = connection?.lastEventAt != null && connection.lastEventAt > startedAt;
    const at = clock.now();
    // The last step has no next one; it stands in the trail all the same.
    if (failure === null) await tenant.rehearsals.advance(id, step, step, at);
    await tenant.rehearsals.finish(id, { at, failure, heardEvents });
  });
  return failure === null ? "finished" : "failed";
}
