import type { FormAnswer } from "../../components/form/form-answer.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Actor } from "../../modules/kernel/timeline.ts";
import { importOrder } from "../../modules/orders/import-order.ts";
import { cancelOrderImport, startOrderImport } from "../../modules/orders/start-order-import.ts";
import { OLD_ORDERS_NOTE } from "../../modules/reports/maintenance-words.ts";
import { customerHelp } from "../../modules/shops/customer-help.ts";
import { calendarDay, startOfDay, TIME_ZONE } from "../../platform/calendar-day.ts";
import type { Ports } from "../../ports.ts";
import type { MaintenanceForm } from "./maintenance-form.ts";

/** Does what a valid form about missed orders asks for, and puts the outcome into words. */
export async function applyMaintenance(
  ports: Pick<Ports, "tenancy" | "clock" | "storeOrderList">,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
  value: MaintenanceForm,
): Promise<Omit<FormAnswer, "form">> {
  switch (value.intent) {
    case "import-orders": {
      const timeZone = (await customerHelp(ports, shop))?.timeZone ?? TIME_ZONE;
      if (value.since > calendarDay(ports.clock.now(), timeZone))
        return { errors: { since: "Enter a date that has passed." } };
      const since = startOfDay(value.since, timeZone);
      const outcome = await startOrderImport(ports, { shop, since, askedBy: actor });
      return {
        toast: outcome.kind === "started" ? "Importing orders" : "Already looking for orders",
      };
    }
    case "stop-looking":
      await cancelOrderImport(ports, shop);
      return { toast: "Stopped looking" };
    case "import-order":
      return importOne(ports, shop, value.order);
  }
}

async function importOne(
  ports: Pick<Ports, "tenancy" | "storeOrderList">,
  shop: ShopDomain,
  numberOrId: string,
) {
  const fault = (order: string) => ({ errors: { order } });
  let outcome: Awaited<ReturnType<typeof importOrder>>;
  try {
    outcome = await importOrder(ports, { shop, numberOrId });
  } catch (error) {
    if (error instanceof Error && "code" in error)
      return fault("Shopify didn’t answer. Try again in a moment.");
    throw error;
  }
  switch (outcome.kind) {
    case "queued":
      return { toast: `Order ${outcome.name} is being imported` };
    case "known":
      return { toast: `Order ${outcome.name} is known; it’s being read again` };
    case "not_paid":
      return fault(`Order ${outcome.name} isn’t paid yet. It comes by itself once it is.`);
    case "not_found":
      return fault(`Shopify shows no such order. ${OLD_ORDERS_NOTE}`);
  }
}
