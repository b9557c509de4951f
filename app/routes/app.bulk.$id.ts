import { data, type LoaderFunctionArgs } from "@remix-run/node";
import type { BulkRunView } from "../components/bulk/bulk-progress.tsx";
import { hasEnded } from "../modules/kernel/batch.ts";
import { gidNumber, uuidSchema } from "../modules/kernel/ids.ts";
import { BULK_OUTCOME_NAMES, describeRun } from "../modules/reports/order-words.ts";
import { readBulkAction } from "../modules/reports/read-bulk-action.ts";

/** How far a bulk action has come. */
export async function loader({
  request,
  params,
  context,
}: LoaderFunctionArgs): Promise<BulkRunView> {
  const { shop } = await context.merchant(request);
  const id = uuidSchema.safeParse(params.id);
  const progress = id.success
    ? await readBulkAction(context.app.ports, { shop, batchId: id.data })
    : null;
  if (!progress) throw data(null, { status: 404 });
  const { action, state, counts, notDone } = progress;
  const words = BULK_OUTCOME_NAMES(action);
  return {
    title: describeRun(progress),
    isDone: hasEnded({ state }),
    total: counts.total,
    settled: counts.total - counts.waiting,
    mayUndo: action === "handled" && hasEnded({ state }) && counts.done > 0,
    notDoneCount: counts.nothing_to_do + counts.failed,
    notDone: notDone.map(({ orderId, orderName, outcome }) => ({
      number: gidNumber(orderId),
      name: orderName,
      outcome: words[outcome],
    })),
  };
}
