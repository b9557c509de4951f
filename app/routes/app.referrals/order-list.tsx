import { useIndexResourceState } from "@shopify/polaris";
import { useRef } from "react";
import type { Bulk } from "../../components/bulk/use-bulk.ts";
import { useMixedTicks } from "../../components/lists/use-mixed-ticks.ts";
import type { BulkAction } from "../../modules/reports/bulk-action.ts";
import { BULK_NAMES } from "../../modules/reports/order-words.ts";
import { type OrderSelection, selectionText } from "./order-address.ts";
import { OrderCards } from "./order-cards.tsx";
import { OrderTable } from "./order-table.tsx";
import type { PickAction, Picking } from "./picking.ts";
import type { OrderRow } from "./present-orders.ts";

const PROMOTED = ["retry", "resync"] as const satisfies BulkAction[];
const OTHERS = ["release", "hold", "resend", "handled"] as const satisfies BulkAction[];

interface Props {
  orders: OrderRow[];
  selection: OrderSelection;
  hasMore: boolean;
  bulk: Bulk;
}

/** Why each ticked order needs a person, as the page shows it. */
const seenOf = (orders: OrderRow[], ticked: string[]) =>
  Object.fromEntries(
    orders.flatMap(({ number, open }) => (ticked.includes(number) ? [[number, open]] : [])),
  );

/**
 * The orders of one page: a table where there is room, else cards, with the same ticks and the same actions. To be
 * keyed by the list's address: what was ticked in one list must not be acted on in another.
 */
export function OrderList({ orders, selection, hasMore, bulk }: Props) {
  const { selectedResources, allResourcesSelected, handleSelectionChange, clearSelection } =
    useIndexResourceState(orders.map((order) => ({ id: order.number })));
  const lists = useRef<HTMLDivElement>(null);
  useMixedTicks(lists);
  const isEvery = allResourcesSelected && hasMore;
  const actionOf = (action: BulkAction): PickAction => ({
    content: BULK_NAMES[action],
    disabled: bulk.isStarting,
    onAction: () => {
      bulk.start(
        action,
        isEvery
          ? { selection: selectionText(selection) }
          : { orders: selectedResources, seen: seenOf(orders, selectedResources) },
        { onStart: clearSelection },
      );
    },
  });
  const picking: Picking = {
    selectedResources,
    handleSelectionChange,
    isEvery,
    hasMore,
    promoted: PROMOTED.map(actionOf),
    others: OTHERS.map(actionOf),
  };
  return (
    <div ref={lists}>
      <div className="pathway-wide">
        <OrderTable orders={orders} picking={picking} />
      </div>
      <div className="pathway-narrow">
        <OrderCards orders={orders} picking={picking} />
      </div>
    </div>
  );
}
