import { useNavigate } from "@remix-run/react";
import { Button, Checkbox, InlineStack, Pagination, Text } from "@shopify/polaris";
import { useState } from "react";
import type { Bulk } from "../../components/bulk/use-bulk.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { attentionAddress } from "./attention-address.ts";
import { AttentionEntry } from "./attention-entry.tsx";
import type { HandledItem } from "./handled-notice.tsx";
import type { AttentionRow } from "./present-attention.ts";

interface Props {
  items: AttentionRow[];
  /** The kind of reason that the list is narrowed to. */
  reason: string | null;
  previous: string | null;
  next: string | null;
  /** Whether a retry of all would send something. */
  mayRetryAll: boolean;
  bulk: Bulk;
  onHandled(item: HandledItem): void;
}

/** The inbox: each item with its action; several can be retried or put aside together. */
export function AttentionList(props: Props) {
  const { items, reason, previous, next, mayRetryAll, bulk, onHandled } = props;
  const navigate = useNavigate();
  const [ticked, setTicked] = useState<string[]>([]);
  const chosen = items.filter((item) => ticked.includes(item.key));
  const isEvery = chosen.length === items.length;
  const fit = {
    retry: chosen.filter(({ action }) => action.kind === "do" && action.action === "retry"),
    handled: chosen.filter(({ mayMarkHandled }) => mayMarkHandled),
  };
  const start = (action: keyof typeof fit) => {
    const items = fit[action].map(({ number, reason, version }) => ({
      ...{ order: number, reason, seen: version },
    }));
    const costs = fit[action].flatMap((item) => item.costs);
    bulk.start(action, { items }, { costs, onStart: () => setTicked([]) });
  };
  /** Says of how many, where it isn't all that are ticked. */
  const named = (verb: string, { length }: AttentionRow[]) =>
    length === chosen.length ? verb : `${verb} (${length} of ${chosen.length})`;
  return (
    <>
      <div className="pathway-actions">
        <Checkbox
          label={chosen.length > 0 ? `${chosen.length} selected` : "Select all"}
          checked={isEvery ? true : chosen.length > 0 ? "indeterminate" : false}
          onChange={() => setTicked(isEvery ? [] : items.map((item) => item.key))}
        />
        <InlineStack gap="200">
          {chosen.length > 0 ? (
            <>
              {fit.retry.length > 0 && (
                <Button loading={bulk.isStarting} onClick={() => start("retry")}>
                  {named("Retry", fit.retry)}
                </Button>
              )}
              {fit.handled.length > 0 && (
                <Button loading={bulk.isStarting} onClick={() => start("handled")}>
                  {named("Mark as handled", fit.handled)}
                </Button>
              )}
              {fit.retry.length + fit.handled.length === 0 && (
                <Text as="span" tone="subdued">
                  Each of these needs its own look
                </Text>
              )}
            </>
          ) : (
            // The button retries every test that needs attention, not only those that the list shows.
            !reason &&
            mayRetryAll && (
              <Button
                loading={bulk.isStarting}
                onClick={() => bulk.start("retry", { selection: "status=attention" })}
              >
                Retry all
              </Button>
            )
          )}
        </InlineStack>
      </div>
      <ul className="pathway-list" aria-label={countOf(items.length, "item")}>
        {items.map((item) => (
          <AttentionEntry
            key={item.key}
            item={item}
            isTicked={ticked.includes(item.key)}
            onHandled={onHandled}
            onTick={(isTicked) =>
              setTicked((before) =>
                isTicked ? [...before, item.key] : before.filter((key) => key !== item.key),
              )
            }
          />
        ))}
      </ul>
      {(previous || next) && (
        <Pagination
          type="table"
          hasPrevious={previous !== null}
          onPrevious={() => navigate(attentionAddress(reason, { before: previous }))}
          hasNext={next !== null}
          onNext={() => navigate(attentionAddress(reason, { after: next }))}
          accessibilityLabel="Pages of what needs attention"
        />
      )}
    </>
  );
}
