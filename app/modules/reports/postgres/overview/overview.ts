import type { Scope } from "../../../../platform/database/scope.ts";
import type { OverviewRepository } from "../../overview-repository.ts";
import { readAttentionOf, readHandledOf, readOrdersWithReason } from "./attention-of.ts";
import { readCountsOfDay } from "./counts-of-day.ts";
import { readDeliveries } from "./deliveries.ts";
import { readExportRows } from "./export-rows.ts";
import { readOrderHeader } from "./order-header.ts";
import { readOrderPage } from "./order-page.ts";
import { readOrderWaits } from "./order-waits.ts";
import { readOverdueResults } from "./overdue-results.ts";
import { readReasonCounts } from "./reason-counts.ts";
import { readRequestsByDay } from "./requests-by-day.ts";
import { readSetup } from "./setup.ts";
import { readStageCounts } from "./stage-counts.ts";
import { readUnmappedSales } from "./unmapped-sales.ts";

export function overviewRepository(scope: Scope): OverviewRepository {
  return {
    unmappedSales: (environment) => readUnmappedSales(scope, environment),
    orderPage: (query) => readOrderPage(scope, query),
    order: (orderId) => readOrderHeader(scope, orderId),
    stageCounts: (limit) => readStageCounts(scope, limit),
    requestsByDay: (since, timeZone) => readRequestsByDay(scope, since, timeZone),
    countsOfDay: (day, timeZone) => readCountsOfDay(scope, day, timeZone),
    setup: (environment) => readSetup(scope, environment),
    attentionOf: (orderIds) => readAttentionOf(scope, orderIds),
    handledOf: (orderIds) => readHandledOf(scope, orderIds),
    waits: (orderIds) => readOrderWaits(scope, orderIds),
    reasonCounts: (limit) => readReasonCounts(scope, limit),
    ordersWithReason: (codes, limit) => readOrdersWithReason(scope, codes, limit),
    deliveries: (limit) => readDeliveries(scope, limit),
    overdueResults: (by) => readOverdueResults(scope, by),
    exportRows: (orderIds) => readExportRows(scope, orderIds),
  };
}
