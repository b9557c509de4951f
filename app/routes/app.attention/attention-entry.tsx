import { useFetcher } from "@remix-run/react";
import { Badge, BlockStack, Button, Checkbox, InlineStack, Link, Text } from "@shopify/polaris";
import { memo } from "react";
import { appBridge } from "../../components/document/app-bridge.ts";
import { useMay } from "../../components/document/use-may.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { Moment } from "../../components/moment/moment.tsx";
import { PhoneLink } from "../../components/phone-link/phone-link.tsx";
import { variantAddress } from "../app.mappings/address.ts";
import { HANDLED_FETCHER, type HandledItem } from "./handled-notice.tsx";
import type { AttentionRow } from "./present-attention.ts";

interface Props {
  item: AttentionRow;
  isTicked: boolean;
  onTick(isTicked: boolean): void;
  /** It is being marked as handled. */
  onHandled(item: HandledItem): void;
}

/** One reason, and the one thing to do about it. */
export function AttentionEntry({ item, isTicked, onTick, onHandled }: Props) {
  return (
    <li className="pathway-entry">
      <Checkbox
        label={`Select order ${item.orderName}: ${item.sentence}`}
        labelHidden
        checked={isTicked}
        onChange={onTick}
      />
      <EntryContent item={item} onHandled={onHandled} />
    </li>
  );
}

/** One that cannot wait: it is looked at by itself, so there is nothing to tick. */
export function TodayEntry({ item, onHandled }: Pick<Props, "item" | "onHandled">) {
  return (
    <li className="pathway-entry">
      <Badge tone="critical">Today</Badge>
      <EntryContent item={item} onHandled={onHandled} />
    </li>
  );
}

/** Drawn once for each item: a tick for all of them changes nothing here. */
const EntryContent = memo(function EntryContent({
  item,
  onHandled,
}: Pick<Props, "item" | "onHandled">) {
  const fetcher = useFetcher<FormAnswer>();
  const marker = useFetcher<FormAnswer>({ key: HANDLED_FETCHER });
  useAnswer(fetcher, "attention");
  const may = useMay();
  const { number, orderName, reason, version: seen } = item;
  const resultsUrl = may("see_results") ? item.resultsUrl : null;
  // Who may not read the results goes to the order, which says who may.
  const action =
    item.isReviewed && !may("see_results") ? { ...item.action, label: "Open" } : item.action;
  const modal = `${item.key.replaceAll(/[^A-Za-z0-9]+/g, "-")}-question`;
  const isMarking = marker.state !== "idle";
  const isBusy = fetcher.state !== "idle";
  const send = (fields: Record<string, string>) =>
    fetcher.submit({ order: number, reason, seen, ...fields }, { method: "post" });
  return (
    <>
      <div className="pathway-entry-words">
        <BlockStack gap="100">
          <InlineStack gap="200" blockAlign="center">
            <Link url={`/app/orders/${number}`} monochrome removeUnderline>
              <Text as="span" fontWeight="semibold">
                {orderName}
              </Text>
            </Link>
            <Text as="span" tone="subdued" variant="bodySm">
              {item.tests && `${item.tests} · `}
              Paid <Moment at={item.paidAt} />
            </Text>
          </InlineStack>
          <Text as="p">{item.sentence}</Text>
          {item.ring && (
            <Text as="p">
              {item.ring.text} {item.ring.phone && <PhoneLink phone={item.ring.phone} />}
            </Text>
          )}
          <Text as="p" tone="subdued">
            {item.nextStep} {item.reviewer}
          </Text>
        </BlockStack>
      </div>
      <div className="pathway-entry-actions" aria-busy={isBusy}>
        {action.kind === "do" ? (
          <Button
            loading={isBusy}
            accessibilityLabel={`${action.label} order ${orderName}`}
            onClick={() => void appBridge()?.modal.show(modal)}
          >
            {action.label}
          </Button>
        ) : (
          <Button
            url={resultsUrl ?? PLACES[action.to](item)}
            accessibilityLabel={`${action.label}: order ${orderName}`}
          >
            {action.label}
          </Button>
        )}
        {action.kind === "do" && item.question && (
          <ConfirmModal
            id={modal}
            {...item.question}
            onConfirm={() => send({ intent: action.action })}
          >
            {item.question.text}
          </ConfirmModal>
        )}
        {item.mayMarkHandled && (
          <Button
            variant="tertiary"
            disabled={isBusy || isMarking}
            accessibilityLabel={`Mark as handled: order ${orderName}`}
            onClick={() => {
              onHandled(item);
              marker.submit({ order: number, reason, seen, intent: "handled" }, { method: "post" });
            }}
          >
            Mark as handled
          </Button>
        )}
      </div>
    </>
  );
});

type Place = Extract<AttentionRow["action"], { kind: "go" }>["to"];

const PLACES: Record<Place, (item: AttentionRow) => string> = {
  order: ({ number }) => `/app/orders/${number}`,
  mapping: ({ number, variantNumber, environment }) =>
    variantNumber
      ? variantAddress(variantNumber, environment ?? undefined)
      : `/app/orders/${number}`,
  settings: () => "/app/settings/connection",
  import: () => "/app/settings/orders",
  shopify: ({ number }) => `shopify://admin/orders/${number}`,
};
