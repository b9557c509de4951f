import type { FormAnswer } from "../../components/form/form-answer.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Actor } from "../../modules/kernel/timeline.ts";
import {
  deleteView,
  MAX_VIEWS,
  renameView,
  saveView,
  type ViewOutcome,
} from "../../modules/reports/change-views.ts";
import {
  type BulkTarget,
  startBulkAction,
  undoHandledRun,
} from "../../modules/reports/start-bulk-action.ts";
import type { Ports } from "../../ports.ts";
import type { OrdersForm } from "./orders-form.ts";

export type OrdersAnswer = FormAnswer & { runId?: string };

/** Does what staff ask for on the index, and says what happens now. */
export async function applyOrders(
  ports: Pick<Ports, "tenancy" | "clock">,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
  form: OrdersForm,
): Promise<OrdersAnswer> {
  switch (form.intent) {
    case "bulk": {
      const { action } = form;
      const target = targetOf(form);
      const runId = await startBulkAction(ports, { shop, actor, action, target });
      return { form: "bulk", runId };
    }
    case "undo-run": {
      const undone = await undoHandledRun(ports, { shop, actor, batchId: form.runId });
      if (undone.kind === "started") return { form: "bulk", runId: undone.runId };
      return { form: "bulk", toast: "There is nothing left to undo", toastIsError: true };
    }
    case "save-view":
      return answer(await saveView(ports, { shop, ...form }), "View saved");
    case "rename-view":
      return answer(await renameView(ports, { shop, ...form }), "View renamed");
    case "delete-view":
      return answer(await deleteView(ports, { shop, id: form.id }), "View deleted");
  }
}

function targetOf({
  orders,
  seen,
  items,
  selection = "",
}: Extract<OrdersForm, { intent: "bulk" }>): BulkTarget {
  if (orders) return { orderIds: orders, seen };
  return items ? { items } : { selection };
}

function answer(outcome: ViewOutcome, toast: string): OrdersAnswer {
  const form = "view";
  switch (outcome.kind) {
    case "done":
      return { form, toast };
    case "name_taken":
      return { form, errors: { name: "Another view has this name. Choose another." } };
    case "gone":
      return {
        form,
        toast: "Somebody deleted this view meanwhile. Save it again to keep it.",
        toastIsError: true,
      };
    case "too_many":
      return { form, errors: { name: `Delete a view first: ${MAX_VIEWS} is the most.` } };
  }
}
