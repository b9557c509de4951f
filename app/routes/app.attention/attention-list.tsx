import { useNavigate } from "@remix-run/react";
import { Button, Checkbox, InlineStack, Pagination } from "@shopify/polaris";
import { useState } from "react";
import type { Bulk } from "../../components/bulk/use-bulk.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { AttentionEntry } from "./attention-entry.tsx";
import type { AttentionRow } from "./present-attention.ts";

interface Props {
  items: AttentionRow[];
  previous: string | null;
  next: string | null;
  bulk: Bulk;
}

/** The inbox: each item with its action; several can be retried or put aside together. */
export function AttentionList({ items, previous, next, bulk }: Props) {
  const navigate = useNavigate();
  const [ticked, setTicked] = useState<string[]>([]);
  const chosen = items.filter((item) => ticked.includes(item.key));
  const isEvery = chosen.length === items.length;
  const start = (action: "retry" | "handled") => {
    bulk.start(action, { items: chosen.map(({ number, reason }) => ({ order: number, reason })) });
    setTicked([]);
  };
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
              <Button loading={bulk.isStarting} onClick={() => start("retry")}>
                Retry
              </Button>
              <Button loading={bulk.isStarting} onClick={() => start("handled")}>
                Mark as handled
              </Button>
            </>
          ) : (
            <Button
              loading={bulk.isStarting}
              onClick={() => bulk.start("retry", { selection: "status=attention" })}
            >
              Retry all
            </Button>
          )}
        </InlineStack>
      </div>
      <ul className="pathway-list" aria-label={countOf(items.length, "item")}>
        {items.map((item) => (
          <AttentionEntry
            key={item.key}
            item={item}
            isTicked={ticked.includes(item.key)}
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
          onPrevious={() => navigate(`/app/attention?before=${encodeURIComponent(previous ?? "")}`)}
          hasNext={next !== null}
          onNext={() => navigate(`/app/attention?after=${encodeURIComponent(next ?? "")}`)}
          accessibilityLabel="Pages of what needs attention"
        />
      )}
    </>
  );
}
