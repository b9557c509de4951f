import { data, type LoaderFunctionArgs } from "@remix-run/node";
import type { BulkRunView } from "../components/bulk/bulk-progress.tsx";
import { keepShown } from "../components/loading/looks.ts";
import { hasEnded } from "../modules/kernel/batch.ts";
import { gidNumber, uuidSchema } from "../modules/kernel/ids.ts";
import { describeNotDone } from "../modules/reports/not-done-words.ts";
import { describeRun } from "../modules/reports/order-words.ts";
import { type BulkProgress, readBulkAction } from "../modules/reports/read-bulk-action.ts";

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
  return presentRun(progress);
}

export const clientLoader = keepShown;

/** A run in words, with the remedy of each order that it left as it was. */
export function presentRun(progress: BulkProgress): BulkRunView {
  const { action, state, counts, notDone } = progress;
  return {
    title: describeRun(progress),
    isDone: hasEnded({ state }),
    total: counts.total,
    settled: counts.total - counts.waiting,
    mayUndo: action === "handled" && hasEnded({ state }) && counts.done > 0,
    notDoneCount: counts.nothing_to_do + counts.refused + counts.failed,
    notDone: notDone.map(({ orderId, orderName, outcome, open, isChanged }) => ({
      number: gidNumber(orderId),
      name: orderName,
      outcome: describeNotDone(action, outcome, open, isChanged),
    })),
  };
}
