import { Link } from "@remix-run/react";
import {
  Badge,
  BlockStack,
  Checkbox,
  IndexTableSelectionType,
  InlineStack,
  Text,
} from "@shopify/polaris";
import { Waits } from "../../components/lists/waits.tsx";
import { Moment } from "../../components/moment/moment.tsx";
import { countOf } from "../../modules/kernel/words.ts";
import { ORDER_MODE_NAMES } from "../../modules/reports/order-words.ts";
import { OrderCustomer, OrderProducts } from "./order-customer.tsx";
import { PickBar } from "./pick-bar.tsx";
import type { Picking } from "./picking.ts";
import type { OrderRow } from "./present-orders.ts";
import { StageBadges } from "./stage-badges.tsx";

/** The index in a narrow window, a phone's or a zoomed one: the whole row is the link, with a box beside it to tick. */
export function OrderCards({ orders, picking }: { orders: OrderRow[]; picking: Picking }) {
  const { selectedResources, handleSelectionChange } = picking;
  return (
    <>
      <PickBar count={orders.length} picking={picking} />
      <ul className="pathway-list">
        {orders.map((order) => (
          <li key={order.number} className="pathway-pick">
            <div>
              <Checkbox
                label={`Select order ${order.name}`}
                labelHidden
                checked={selectedResources.includes(order.number)}
                onChange={(isTicked) =>
                  handleSelectionChange(IndexTableSelectionType.Single, isTicked, order.number)
                }
              />
            </div>
            <Link className="pathway-row-link" to={`/app/orders/${order.number}`}>
              <BlockStack gap="150">
                <InlineStack align="space-between" blockAlign="center" gap="200">
                  <InlineStack align="start" gap="150" blockAlign="center">
                    <Text as="span" fontWeight="semibold">
                      {order.name}
                    </Text>
                    {order.orderMode !== "production" && (
                      <Badge>{ORDER_MODE_NAMES[order.orderMode]}</Badge>
                    )}
                    {order.isCancelled && <Badge>Cancelled</Badge>}
                  </InlineStack>
                  {order.units > 0 && (
                    <Text as="span" tone="subdued" variant="bodySm">
                      {countOf(order.units, "test")}
                    </Text>
                  )}
                </InlineStack>
                <Text as="span" tone="subdued" variant="bodySm">
                  Paid <Moment at={order.paidAt} />
                </Text>
                <div>
                  <OrderCustomer order={order} />
                </div>
                <OrderProducts order={order} />
                <StageBadges order={order} />
                <Waits waits={order.waits} />
                {order.attention && <Text as="span">{order.attention}</Text>}
              </BlockStack>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
