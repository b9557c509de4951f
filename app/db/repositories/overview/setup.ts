import type { Environment } from "../../../domain/connections/connection.ts";
import type { Scope } from "../scope.ts";

/** How far the shop has come: whether anything is mapped to an order, and whether anything was ordered. */
export async function readSetup({ tx, shop }: Scope, environment: Environment) {
  const mapping = await tx.mapping.findFirst({
    where: { shop, environment, kind: "order" },
    select: { variantId: true },
  });
  const referral = await tx.referral.findFirst({ where: { shop }, select: { uuid: true } });
  return { hasMapping: mapping !== null, hasReferral: referral !== null };
}
