import { useFetcher } from "@remix-run/react";
import { Banner, Box } from "@shopify/polaris";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import type { AttentionRow } from "./present-attention.ts";

/** Shared by all items and the notice: an item that is handled leaves the list before its answer is read. */
export const HANDLED_FETCHER = "attention-handled";

export type HandledItem = Pick<AttentionRow, "number" | "reason" | "orderName">;

interface Props {
  /** Null while nothing was. */
  item: HandledItem | null;
  onClose(): void;
}

/** Says what was marked as handled just now, and takes it back at one press. */
export function HandledNotice({ item, onClose }: Props) {
  const marker = useFetcher<FormAnswer>({ key: HANDLED_FETCHER });
  const fetcher = useFetcher<FormAnswer>();
  useAnswer(marker, "attention");
  useAnswer(fetcher, "undo-handled", onClose);
  const isMarked = marker.state === "idle" && marker.data && !marker.data.toastIsError;
  if (!item || !isMarked) return null;
  const { number: order, reason, orderName } = item;
  const undo = () => fetcher.submit({ intent: "undo-handled", order, reason }, { method: "post" });
  return (
    <Box paddingBlockEnd="400">
      <div role="status">
        <Banner
          tone="success"
          title={`Order ${orderName} is marked as handled`}
          action={{
            content: "Undo",
            accessibilityLabel: `Undo: mark order ${orderName} as handled`,
            loading: fetcher.state !== "idle",
            onAction: undo,
          }}
          onDismiss={onClose}
        />
      </div>
    </Box>
  );
}
