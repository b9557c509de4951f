import { gidNumber } from "../../modules/kernel/ids.ts";
import type {
  SimulationEvidence,
  SimulationsOverview,
} from "../../modules/reports/read-simulations.ts";
import {
  SIMULATION_STEPS,
  type Simulation,
  type SimulationStep,
} from "../../modules/reports/simulation.ts";
import {
  describeSimulationFailure,
  NO_EVENTS,
  SIMULATION_STEP_NAMES,
} from "../../modules/reports/simulation-words.ts";
import type { WebApp } from "../../web-app.ts";

export type SimulationView = ReturnType<typeof presentSimulation>;
export type StepState = "done" | "doing" | "todo" | "failed";

/** Presents what can be simulated and what was, in words. */
export function presentSimulations(
  app: Pick<WebApp, "describeFailure">,
  overview: SimulationsOverview,
) {
  const [latest, ...earlier] = overview.simulations;
  return {
    isConnected: overview.isConnected,
    simulatable: overview.simulatable.map(({ variantId, title }) => ({
      value: variantId,
      label: title,
    })),
    latest: latest ? presentSimulation(app, latest) : null,
    earlier: earlier.map((one) => presentSimulation(app, one)),
  };
}

function presentSimulation(
  { describeFailure }: Pick<WebApp, "describeFailure">,
  { simulation, evidence }: SimulationsOverview["simulations"][number],
) {
  const { id, title, orderId, startedAt, finishedAt, failure, heardEvents } = simulation;
  const done = simulation.trail.length;
  return {
    id,
    title,
    url: `/app/orders/${gidNumber(orderId)}`,
    startedAt: startedAt.toISOString(),
    isRunning: finishedAt === null,
    hasOrder: simulation.trail.some(({ step }) => step === "order"),
    seconds: finishedAt ? secondsBetween(startedAt, finishedAt) : null,
    percent: Math.round((100 * done) / SIMULATION_STEPS.length),
    failure: failure === null ? null : describeSimulationFailure(failure, describeFailure),
    noEvents: finishedAt && failure === null && !heardEvents ? NO_EVENTS : null,
    steps: SIMULATION_STEPS.map((step) => ({
      step,
      name: SIMULATION_STEP_NAMES[step],
      ...standing(simulation, step),
      evidence: evidenceText(evidence, step),
    })),
  };
}

function standing(
  { trail, step: current, startedAt, failure, finishedAt }: Simulation,
  step: SimulationStep,
): { state: StepState; seconds: string | null } {
  const at = trail.findIndex((one) => one.step === step);
  const entry = trail[at];
  if (entry)
    return { state: "done", seconds: secondsBetween(trail[at - 1]?.at ?? startedAt, entry.at) };
  if (step !== current) return { state: "todo", seconds: null };
  return { state: failure !== null || finishedAt ? "failed" : "doing", seconds: null };
}

const secondsBetween = (from: Date, to: Date) =>
  `${((to.getTime() - from.getTime()) / 1000).toFixed(1)} s`;

function evidenceText({ references, forms, reports }: SimulationEvidence, step: SimulationStep) {
  switch (step) {
    case "create":
      return references.length > 0 ? `Referral ${references.join(" and ")}` : null;
    case "form":
      return pdfText(forms);
    case "report":
      return pdfText(reports);
    default:
      return null;
  }
}

const pdfText = (sizes: number[]) =>
  sizes.length === 0
    ? null
    : sizes.map((bytes) => `PDF, ${Math.max(1, Math.round(bytes / 1024))} KB`).join(" and ");
