import { Badge, BlockStack, IndexTable, InlineStack, Link, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import type { OrderRow } from "./present-orders.ts";
import { StageBadges } from "./stage-badges.tsx";

export function OrderTable({ orders }: { orders: OrderRow[] }) {
  return (
    <IndexTable
      selectable={false}
      itemCount={orders.length}
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
        <IndexTable.Row key={order.number} id={order.number} position={position}>
          <IndexTable.Cell>
            <InlineStack gap="150" blockAlign="center" wrap={false}>
              <Link dataPrimaryLink url={`/app/orders/${order.number}`} monochrome removeUnderline>
                <Text as="span" fontWeight="semibold">
                  {order.name}
                </Text>
              </Link>
              {order.isTest && <Badge>Test</Badge>}
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
            <BlockStack>
              <div className="pathway-wrap">
                <Text as="p" tone={order.attention ? undefined : "subdued"}>
                  {order.attention ?? "–"}
                </Text>
              </div>
            </BlockStack>
          </IndexTable.Cell>
        </IndexTable.Row>
      ))}
    </IndexTable>
  );
}
