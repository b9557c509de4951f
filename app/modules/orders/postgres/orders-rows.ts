import type { Scope } from "../../../platform/database/scope.ts";
import { orderImportRepository } from "./order-imports.ts";
import { orderRepository } from "./orders.ts";

/** The rows of this module, through one shop's eyes. */
export const ordersRows = (scope: Scope) => ({
  orders: orderRepository(scope),
  orderImports: orderImportRepository(scope),
});
