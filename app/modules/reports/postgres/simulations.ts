import { z } from "zod";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import { SIMULATION_STEPS, type Simulation, type SimulationRepository } from "../simulation.ts";

type Row = NonNullable<Awaited<ReturnType<Scope["tx"]["simulation"]["findUnique"]>>>;

const trailSchema = z.array(
  z.object({ step: z.enum(SIMULATION_STEPS), at: z.string().transform((text) => new Date(text)) }),
);

export function simulationRepository({ tx, shop }: Scope): SimulationRepository {
  return {
    async begin({ startedAt, ...simulation }) {
      const { count } = await tx.simulation.createMany({
        data: [{ shop, ...simulation, startedAt, step: "connect", stepSince: startedAt }],
        // The only other key is "one that is running".
        skipDuplicates: true,
      });
      return count > 0;
    },
    async find(id) {
      const row = await tx.simulation.findUnique({ where: { shop_id: { shop, id } } });
      return row && toSimulation(row);
    },
    async latest(limit) {
      const rows = await tx.simulation.findMany({
        where: { shop },
        orderBy: { startedAt: "desc" },
        take: limit,
      });
      return rows.map(toSimulation);
    },
    async advance(id, from, to, at) {
      const done = JSON.stringify([{ step: from, at: at.toISOString() }]);
      const count = await tx.$executeRaw`
        UPDATE simulations SET step = ${to}, step_since = ${at}, trail = trail || ${done}::jsonb
        WHERE shop = ${shop} AND id = ${id}::uuid AND step = ${from} AND finished_at IS NULL`;
      return count > 0;
    },
    async finish(id, { at, failure, heardEvents }) {
      await tx.simulation.updateMany({
        where: { shop, id, finishedAt: null },
        data: { finishedAt: at, failure, heardEvents },
      });
    },
  };
}

function toSimulation(row: Row): Simulation {
  const { id, title, stepSince, startedAt, finishedAt, failure, heardEvents } = row;
  return {
    id,
    title,
    stepSince,
    startedAt,
    finishedAt,
    failure,
    heardEvents,
    variantId: gid("ProductVariant", row.variantId),
    orderId: gid("Order", row.orderId),
    step: parseEnum(SIMULATION_STEPS, row.step),
    trail: trailSchema.parse(row.trail),
  };
}
