/**
 * The rows of a shop that one transaction can be asked for, joined from all modules. A file of its own, which the process loads
 * once it answers: with what it imports it is a quarter of the code, and a message is taken in without it
 * (docs/decisions/0020).
 */
import { accessRows } from "./modules/access/postgres/access-rows.ts";
import { catalogueRows } from "./modules/catalogue/postgres/catalogue-rows.ts";
import { kernelRows } from "./modules/kernel/postgres/kernel-rows.ts";
import { ordersRows } from "./modules/orders/postgres/orders-rows.ts";
import { patientsRows } from "./modules/patients/postgres/patients-rows.ts";
import { privacyRows } from "./modules/privacy/postgres/privacy-rows.ts";
import { referralsRows } from "./modules/referrals/postgres/referrals-rows.ts";
import { reportsRows } from "./modules/reports/postgres/reports-rows.ts";
import { shopsRows } from "./modules/shops/postgres/shops-rows.ts";
import type { Scope } from "./platform/database/scope.ts";

/** The rows of the shop of `scope`, in its transaction. */
export function tenantRows(scope: Scope) {
  return {
    ...kernelRows(scope),
    ...shopsRows(scope),
    ...patientsRows(scope),
    ...referralsRows(scope),
    ...catalogueRows(scope),
    ...ordersRows(scope),
    ...accessRows(scope),
    ...privacyRows(scope),
    ...reportsRows(scope),
  };
}
