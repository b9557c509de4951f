import type { OverviewRepository } from "../../../domain/overview/overview-repository.ts";
import type { Scope } from "../scope.ts";
import {
  countOrdersInNeed,
  readAttention,
  readRequestsByDay,
  readSetup,
  readStageCounts,
  readUnmappedSales,
} from "./home.ts";
import { readOrderHeader } from "./order-header.ts";
import { readOrderPage } from "./order-page.ts";

export function overviewRepository(scope: Scope): OverviewRepository {
  return {
    unmappedSales: () => readUnmappedSales(scope),
    orderPage: (query) => readOrderPage(scope, query),
    order: (orderId) => readOrderHeader(scope, orderId),
    stageCounts: () => readStageCounts(scope),
    requestsByDay: (since, timeZone) => readRequestsByDay(scope, since, timeZone),
    setup: (environment) => readSetup(scope, environment),
    ordersInNeed: () => countOrdersInNeed(scope),
    attention: (limit) => readAttention(scope, limit),
  };
}
