import type { Scope } from "../../../platform/database/scope.ts";
import { catchUpRepository } from "./catch-ups.ts";
import { orderRepository } from "./orders.ts";

/** The rows of this room, through one shop's eyes. */
export const ordersRows = (scope: Scope) => ({
  orders: orderRepository(scope),
  catchUps: catchUpRepository(scope),
});
