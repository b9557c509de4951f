import type { Scope } from "../../../../platform/database/scope.ts";
import type { Environment } from "../../../shops/connection.ts";

/** How far the shop has come: whether anything is mapped to an order, and whether a simulation went well to its end. */
export async function readSetup({ tx, shop }: Scope, environment: Environment) {
  const mapping = await tx.mapping.findFirst({
    where: { shop, environment, kind: "order" },
    select: { variantId: true },
  });
  const simulation = await tx.simulation.findFirst({
    where: { shop, finishedAt: { not: null }, failure: null },
    select: { id: true },
  });
  return { hasMapping: mapping !== null, hasSimulated: simulation !== null };
}
