import { Link } from "@remix-run/react";
import { Badge, BlockStack, InlineStack, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import { countOf } from "../../messages/mapping.ts";
import { LANE_NAMES } from "../../messages/orders.ts";
import type { OrderRow } from "./present-orders.ts";
import { StageBadges } from "./stage-badges.tsx";

/** The index on a phone: the whole row is the link. */
export function OrderCards({ orders }: { orders: OrderRow[] }) {
  return (
    <ul className="pathway-list">
      {orders.map((order) => (
        <li key={order.number}>
          <Link className="pathway-row-link" to={`/app/orders/${order.number}`}>
            <BlockStack gap="150">
              <InlineStack align="space-between" blockAlign="center" gap="200">
                <InlineStack align="start" gap="150" blockAlign="center">
                  <Text as="span" fontWeight="semibold">
                    {order.name}
                  </Text>
                  {order.lane !== "production" && <Badge>{LANE_NAMES[order.lane]}</Badge>}
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
              <StageBadges order={order} />
              {order.attention && <Text as="span">{order.attention}</Text>}
            </BlockStack>
          </Link>
        </li>
      ))}
    </ul>
  );
}
