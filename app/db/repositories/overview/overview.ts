import type { OverviewRepository } from "../../../domain/overview/overview-repository.ts";
import type { Scope } from "../scope.ts";
import { readExportRows } from "./export-rows.ts";
import {
  readAttentionOf,
  readRequestsByDay,
  readSetup,
  readStageCounts,
  readUnmappedSales,
  readWithoutResults,
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
    attentionOf: (orderIds) => readAttentionOf(scope, orderIds),
    withoutResults: (issuedBefore, limit) => readWithoutResults(scope, issuedBefore, limit),
    exportRows: (orderIds) => readExportRows(scope, orderIds),
  };
}
