import { Badge, BlockStack, IndexTable, InlineStack, Link, Text } from "@shopify/polaris";
import { Waits } from "../../components/lists/waits.tsx";
import { Moment } from "../../components/moment/moment.tsx";
import { ORDER_MODE_NAMES } from "../../modules/reports/order-words.ts";
import { OrderCustomer, OrderProducts } from "./order-customer.tsx";
import type { Picking } from "./picking.ts";
import type { OrderRow } from "./present-orders.ts";
import { StageBadges } from "./stage-badges.tsx";

/** The index where there is room for columns. */
export function OrderTable({ orders, picking }: { orders: OrderRow[]; picking: Picking }) {
  const { selectedResources, isEvery } = picking;
  return (
    <IndexTable
      itemCount={orders.length}
      selectedItemsCount={isEvery ? "All" : selectedResources.length}
      onSelectionChange={picking.handleSelectionChange}
      hasMoreItems={picking.hasMore}
      promotedBulkActions={picking.promoted}
      bulkActions={picking.others}
      resourceName={{ singular: "order", plural: "orders" }}
      headings={[
        { title: "Order" },
        { title: "Paid" },
        { title: "Customer" },
        { title: "Product" },
        { title: "Tests", alignment: "end" },
        { title: "Status" },
      ]}
    >
      {orders.map((order, position) => (
        <IndexTable.Row
          key={order.number}
          id={order.number}
          position={position}
          selected={selectedResources.includes(order.number)}
          // Else all of them are called "Select order".
          accessibilityLabel={`Select order ${order.name}`}
        >
          <IndexTable.Cell>
            <InlineStack gap="150" blockAlign="center" wrap={false}>
              <Link dataPrimaryLink url={`/app/orders/${order.number}`} monochrome removeUnderline>
                <Text as="span" fontWeight="semibold">
                  {order.name}
                </Text>
              </Link>
              {order.orderMode !== "production" && (
                <Badge>{ORDER_MODE_NAMES[order.orderMode]}</Badge>
              )}
              {order.isCancelled && <Badge>Cancelled</Badge>}
            </InlineStack>
          </IndexTable.Cell>
          <IndexTable.Cell>
            <Moment at={order.paidAt} />
          </IndexTable.Cell>
          <IndexTable.Cell>
            <div className="pathway-wrap">
              <OrderCustomer order={order} />
            </div>
          </IndexTable.Cell>
          <IndexTable.Cell>
            <div className="pathway-wrap">
              <OrderProducts order={order} />
            </div>
          </IndexTable.Cell>
          <IndexTable.Cell>
            <Text as="span" alignment="end" numeric>
              {order.units || "–"}
            </Text>
          </IndexTable.Cell>
          <IndexTable.Cell>
            <div className="pathway-wrap">
              <BlockStack gap="100">
                <StageBadges order={order} />
                <Waits waits={order.waits} />
                {order.attention && (
                  <Text as="p" variant="bodySm">
                    {order.attention}
                  </Text>
                )}
              </BlockStack>
            </div>
          </IndexTable.Cell>
        </IndexTable.Row>
      ))}
    </IndexTable>
  );
}
