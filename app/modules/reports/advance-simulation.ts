import type { ShopDomain } from "../kernel/ids.ts";
import { testConnection } from "../lifecycle/test-connection.ts";
import type { Ports } from "./ports.ts";
import { SIMULATION_STEPS, type Simulation, STEP_LIMIT_MS } from "./simulation.ts";
import { orderForSimulation } from "./simulations/order-for-simulation.ts";
import { lookAtTheService, makeUpResults, type Progress } from "./simulations/watch-request.ts";

type SimulationPorts = Pick<Ports, "tenancy" | "services" | "clock" | "logger">;

export type AdvanceOutcome = "went_on" | "waits" | "failed" | "finished" | "gone";

const LOOK_EVERY_MS = 1_000;

/**
 * Takes a simulation one step on, or looks again in a second. Each step is committed before the next, and doing
 * one twice does no harm, so a simulation goes on wherever a process died.
 */
export async function advanceSimulation(
  ports: SimulationPorts,
  { shop, simulationId }: { shop: ShopDomain; simulationId: string },
): Promise<AdvanceOutcome> {
  const { tenancy, clock } = ports;
  const { simulation, isInstalled } = await tenancy.inShop(shop, async (tenant) => {
    const settings = await tenant.shops.find();
    const found = await tenant.simulations.find(simulationId);
    return { simulation: found, isInstalled: settings?.installed === true };
  });
  if (!simulation) return "gone";
  if (simulation.finishedAt) return "finished";
  // Left open it would be in the way of every other one after the app's return.
  if (!isInstalled) return end(ports, shop, simulation, "uninstalled");
  const progress = await take(ports, shop, simulation);
  if (progress.kind === "failed") return end(ports, shop, simulation, progress.failure);
  const now = clock.now();
  if (progress.kind === "waits") {
    if (now.getTime() - simulation.stepSince.getTime() > STEP_LIMIT_MS)
      return end(ports, shop, simulation, `stuck:${simulation.step}`);
    await tenancy.inShop(shop, (tenant) =>
      tenant.jobs.enqueue(
        { name: "advance-simulation", shop, simulationId },
        { startAfter: new Date(now.getTime() + LOOK_EVERY_MS) },
      ),
    );
    return "waits";
  }
  const next = SIMULATION_STEPS[SIMULATION_STEPS.indexOf(simulation.step) + 1];
  if (!next) return end(ports, shop, simulation, null);
  await tenancy.inShop(shop, async (tenant) => {
    if (!(await tenant.simulations.advance(simulationId, simulation.step, next, now))) return;
    await tenant.jobs.enqueue({ name: "advance-simulation", shop, simulationId });
  });
  return "went_on";
}

async function take(
  ports: SimulationPorts,
  shop: ShopDomain,
  simulation: Simulation,
): Promise<Progress> {
  switch (simulation.step) {
    case "connect":
      return connect(ports, shop);
    case "order":
      return orderForSimulation(ports, shop, simulation);
    case "results":
      return makeUpResults(ports, shop, simulation);
    default:
      return lookAtTheService(ports, shop, simulation);
  }
}

async function connect(ports: SimulationPorts, shop: ShopDomain): Promise<Progress> {
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
  { tenancy, clock }: SimulationPorts,
  shop: ShopDomain,
  { id, startedAt, step }: Simulation,
  failure: string | null,
): Promise<AdvanceOutcome> {
  await tenancy.inShop(shop, async (tenant) => {
    const connection = await tenant.connections.find("staging");
    const heardEvents = connection?.lastEventAt != null && connection.lastEventAt > startedAt;
    const at = clock.now();
    // The last step has no next one; it stands in the trail all the same.
    if (failure === null) await tenant.simulations.advance(id, step, step, at);
    await tenant.simulations.finish(id, { at, failure, heardEvents });
  });
  return failure === null ? "finished" : "failed";
}
