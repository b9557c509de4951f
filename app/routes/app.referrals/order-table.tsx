import {
  Badge,
  IndexTable,
  InlineStack,
  Link,
  Text,
  useIndexResourceState,
} from "@shopify/polaris";
import type { Bulk } from "../../components/bulk/use-bulk.ts";
import { Moment } from "../../components/moment/moment.tsx";
import type { BulkAction } from "../../domain/bulk/bulk-run.ts";
import { BULK_NAMES, LANE_NAMES } from "../../messages/orders.ts";
import { type OrderSelection, selectionText } from "./order-address.ts";
import type { OrderRow } from "./present-orders.ts";
import { StageBadges } from "./stage-badges.tsx";

const PROMOTED = ["retry", "resync"] as const satisfies BulkAction[];
const OTHERS = ["release", "hold", "resend", "handled"] as const satisfies BulkAction[];

interface Props {
  orders: OrderRow[];
  selection: OrderSelection;
  hasMore: boolean;
  bulk: Bulk;
}

export function OrderTable({ orders, selection, hasMore, bulk }: Props) {
  const rows = orders.map((order) => ({ id: order.number }));
  const { selectedResources, allResourcesSelected, handleSelectionChange, clearSelection } =
    useIndexResourceState(rows);
  const actionOf = (action: BulkAction) => ({
    content: BULK_NAMES[action],
    disabled: bulk.isStarting,
    onAction: () => {
      const isEvery = allResourcesSelected && hasMore;
      bulk.start(
        action,
        isEvery ? { selection: selectionText(selection) } : { orders: selectedResources },
      );
      clearSelection();
    },
  });
  return (
    <IndexTable
      itemCount={orders.length}
      selectedItemsCount={allResourcesSelected && hasMore ? "All" : selectedResources.length}
      onSelectionChange={handleSelectionChange}
      hasMoreItems={hasMore}
      promotedBulkActions={PROMOTED.map(actionOf)}
      bulkActions={OTHERS.map(actionOf)}
      resourceName={{ singular: "order", plural: "orders" }}
      headings={[
        { title: "Order" },
        { title: "Paid" },
        { title: "Tests", alignment: "end" },
        { title: "Status" },
        { title: "What needs attention" },
      ]}
    >
      {orders.map((order, position) => (
        <IndexTable.Row
          key={order.number}
          id={order.number}
          position={position}
          selected={selectedResources.includes(order.number)}
        >
          <IndexTable.Cell>
            <InlineStack gap="150" blockAlign="center" wrap={false}>
              <Link dataPrimaryLink url={`/app/orders/${order.number}`} monochrome removeUnderline>
                <Text as="span" fontWeight="semibold">
                  {order.name}
                </Text>
              </Link>
              {order.lane !== "production" && <Badge>{LANE_NAMES[order.lane]}</Badge>}
              {order.isCancelled && <Badge>Cancelled</Badge>}
            </InlineStack>
          </IndexTable.Cell>
          <IndexTable.Cell>
            <Moment at={order.paidAt} />
          </IndexTable.Cell>
          <IndexTable.Cell>
            <Text as="span" alignment="end" numeric>
              {order.units || "–"}
            </Text>
          </IndexTable.Cell>
          <IndexTable.Cell>
            <StageBadges order={order} />
          </IndexTable.Cell>
          <IndexTable.Cell>
            <div className="pathway-wrap">
              <Text as="p" tone={order.attention ? undefined : "subdued"}>
                {order.attention ?? "–"}
              </Text>
            </div>
          </IndexTable.Cell>
        </IndexTable.Row>
      ))}
    </IndexTable>
  );
}
