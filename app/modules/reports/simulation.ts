import type { OrderId, VariantId } from "../kernel/ids.ts";

/** The steps of a simulation, in this order. A step's name is what is being waited for. */
export const SIMULATION_STEPS = [
  "connect",
  "order",
  "create",
  "form",
  "results",
  "report",
] as const;
export type SimulationStep = (typeof SIMULATION_STEPS)[number];

/** A form can take the service minutes; a step that takes longer than this is stuck. */
export const STEP_LIMIT_MS = 10 * 60_000;

/** A synthetic order, walked through staging from its mapping to its results. */
export interface Simulation {
  id: string;
  variantId: VariantId;
  /** The product's title, as the store calls it. */
  title: string;
  /** Made up; no order of the store has it. */
  orderId: OrderId;
  step: SimulationStep;
  stepSince: Date;
  /** When each step was done. */
  trail: { step: SimulationStep; at: Date }[];
  startedAt: Date;
  finishedAt: Date | null;
  /** Why it ended early: a key of app/modules/reports/simulation-words.ts, or null. */
  failure: string | null;
  /** Whether events of the service came while it ran. */
  heardEvents: boolean;
}

export interface SimulationRepository {
  /** Begins one unless one is running; returns whether it did. A lost race is one that is running. */
  begin(
    simulation: Pick<Simulation, "id" | "variantId" | "title" | "orderId" | "startedAt"> & {
      startedBy: string;
    },
  ): Promise<boolean>;
  find(id: string): Promise<Simulation | null>;
  /** Newest first. */
  latest(limit: number): Promise<Simulation[]>;
  /** On to the next step, unless somebody was faster; returns whether it moved. */
  advance(id: string, from: SimulationStep, to: SimulationStep, at: Date): Promise<boolean>;
  finish(
    id: string,
    end: { at: Date; failure: string | null; heardEvents: boolean },
  ): Promise<void>;
}
