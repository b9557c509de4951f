import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Box, Card, Page } from "@shopify/polaris";
import { readOrders } from "../../domain/overview/read-orders.ts";
import { NoOrders } from "./no-orders.tsx";
import { OrderCards } from "./order-cards.tsx";
import { readOrderSelection } from "./order-selection.ts";
import { OrderTable } from "./order-table.tsx";
import { OrdersFooter } from "./orders-footer.tsx";
import { OrdersToolbar } from "./orders-toolbar.tsx";
import { presentOrders } from "./present-orders.ts";

export const meta: MetaFunction = () => [{ title: "Orders and referrals · Pathway" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const query = readOrderSelection(new URL(request.url).searchParams);
  const page = await readOrders(context.app.ports, { shop, ...query });
  const { filter, search } = query;
  return { ...presentOrders(context.app, page), selection: { filter, search } };
}

export default function OrdersPage() {
  const { orders, previous, next, selection } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Orders and referrals"
      subtitle="Every paid order, and where each of its tests stands."
      secondaryActions={[{ content: "Dry run", url: "/app/dry-run" }]}
    >
      <Card padding="0">
        <OrdersToolbar selection={selection} />
        {orders.length === 0 ? (
          <NoOrders selection={selection} />
        ) : (
          <>
            <div className="pathway-wide">
              <OrderTable orders={orders} />
            </div>
            <div className="pathway-narrow">
              <OrderCards orders={orders} />
            </div>
          </>
        )}
        <OrdersFooter selection={selection} previous={previous} next={next} />
      </Card>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
