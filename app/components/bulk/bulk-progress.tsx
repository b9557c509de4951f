import { Banner, Link, Text } from "@shopify/polaris";
import { useLooks } from "../loading/use-looks.ts";
import { useLastReading } from "../loading/use-rereading.ts";

const LOOK_AGAIN_MS = 1000;
/** So few orders are read at a glance: why they were left stands there without a click. */
const MAX_OPEN = 5;

/** How far a bulk action has come, as GET /app/bulk/:id answers. */
export interface BulkRunView {
  title: string;
  isDone: boolean;
  total: number;
  settled: number;
  notDoneCount: number;
  /** Whether what it did can be taken back. */
  mayUndo: boolean;
  notDone: { number: string; name: string; outcome: string }[];
}

interface Props {
  runId: string;
  /** Takes back what the action did. */
  onUndo(runId: string): void;
  onClose(): void;
}

/** How far a bulk action has come, looked at again until it is done; then what was not done, order by order. */
export function BulkProgress({ runId, onUndo, onClose }: Props) {
  const view = useLooks<BulkRunView>(`/app/bulk/${runId}`, (read) => !read?.isDone, LOOK_AGAIN_MS);
  const isDone = view?.isDone ?? false;
  useLastReading(isDone);
  return (
    <div className="pathway-run" role="status">
      <Banner
        tone={!isDone ? "info" : view?.notDone.length ? "warning" : "success"}
        title={view?.title ?? "Starting"}
        {...(isDone ? { onDismiss: onClose } : {})}
        {...(isDone && view?.mayUndo
          ? { action: { content: "Undo", onAction: () => onUndo(runId) } }
          : {})}
      >
        {!isDone ? (
          <progress
            className="pathway-progress"
            aria-label="Progress"
            max={Math.max(view?.total ?? 1, 1)}
            value={view?.settled ?? 0}
          />
        ) : view && view.notDone.length > 0 ? (
          <details className="pathway-details" open={view.notDone.length <= MAX_OPEN}>
            <summary>
              {view.notDoneCount} {view.notDoneCount === 1 ? "order wasn’t" : "orders weren’t"}{" "}
              done, or not wholly
            </summary>
            <ul className="pathway-outcomes">
              {view.notDone.map((order) => (
                <li key={order.number}>
                  <Link url={`/app/orders/${order.number}`}>{order.name}</Link>{" "}
                  <Text as="span" tone="subdued">
                    {order.outcome}
                  </Text>
                </li>
              ))}
            </ul>
          </details>
        ) : null}
      </Banner>
    </div>
  );
}
