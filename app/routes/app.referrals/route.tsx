import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData, useLocation, useNavigation } from "@remix-run/react";
import { Box, Card, Page } from "@shopify/polaris";
import { BulkQuestion } from "../../components/bulk/bulk-question.tsx";
import { useBulk } from "../../components/bulk/use-bulk.ts";
import { useMay } from "../../components/document/use-may.ts";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { keepShown } from "../../components/loading/looks.ts";
import { useFetched } from "../../components/loading/use-fetched.ts";
import { useRereadingOnReturn } from "../../components/loading/use-rereading.ts";
import { readOrders } from "../../modules/reports/read-orders.ts";
import { applyOrders } from "./apply-orders.ts";
import { ExportButton } from "./export-button.tsx";
import { ALL_ORDERS, orderAddress } from "./order-address.ts";
import { OrderList } from "./order-list.tsx";
import { readOrderSelection } from "./order-selection.ts";
import { OrdersFooter } from "./orders-footer.tsx";
import { ordersForm } from "./orders-form.ts";
import { OrdersToolbar } from "./orders-toolbar.tsx";
import { presentOrders } from "./present-orders.ts";
import { ViewTabs } from "./view-tabs.tsx";

/** Needed where a bulk action goes on. */
const loadProgress = () => import("../../components/bulk/bulk-progress.tsx");
/** Needed where nothing is listed. */
const loadNoOrders = () => import("./no-orders.tsx");

export const meta: MetaFunction = () => [{ title: "Orders and referrals · Pathway" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const query = readOrderSelection(new URL(request.url).searchParams);
  const page = await readOrders(context.app.ports, { shop, ...query });
  const { start: _, size: __, ...selection } = query;
  return { ...presentOrders(context.app, page), selection };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const form = ordersForm.safeParse(Object.fromEntries(await readForm(request)));
  if (!form.success) {
    const faults = form.error.issues.map((issue) => [issue.path.join("."), issue.message]);
    const isName = faults.some(([field]) => field === "name");
    if (!isName) throw data(null, { status: 400 });
    return data({ form: "view", errors: Object.fromEntries(faults) }, { status: 422 });
  }
  const answer = await applyOrders(context.app.ports, { shop, actor }, form.data);
  return data(answer, { status: answer.errors ? 422 : 200 });
}

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;
export const clientLoader = keepShown;

export default function OrdersPage() {
  const { orders, previous, next, selection, views, counts, run } = useLoaderData<typeof loader>();
  useRereadingOnReturn();
  const bulk = useBulk(run);
  const progress = useFetched(bulk.runId !== null, loadProgress);
  const noOrders = useFetched(orders.length === 0, loadNoOrders);
  const may = useMay();
  const { search } = useLocation();
  const navigation = useNavigation();
  const isTurning =
    navigation.state === "loading" && navigation.location.pathname === "/app/referrals";
  return (
    <Page
      title="Orders and referrals"
      subtitle="Every paid order, and where each of its tests stands."
      primaryAction={
        may("export_data") ? (
          <ExportButton selection={selection} isEmpty={orders.length === 0} />
        ) : undefined
      }
      secondaryActions={[{ content: "Dry run", url: "/app/dry-run" }]}
    >
      <BulkQuestion bulk={bulk} />
      {bulk.runId && progress && (
        <progress.BulkProgress
          key={bulk.runId}
          runId={bulk.runId}
          onUndo={bulk.undo}
          onClose={bulk.close}
        />
      )}
      <Card padding="0">
        <ViewTabs selection={selection} views={views} counts={counts} />
        <OrdersToolbar selection={selection} views={views} />
        <div aria-busy={isTurning} className="pathway-turning">
          {orders.length === 0 ? (
            noOrders && (
              <noOrders.NoOrders
                selection={selection}
                unfiltered={orderAddress({ ...ALL_ORDERS, filter: selection.filter })}
              />
            )
          ) : (
            <OrderList
              key={search}
              orders={orders}
              selection={selection}
              hasMore={previous !== null || next !== null}
              bulk={bulk}
            />
          )}
        </div>
        <OrdersFooter selection={selection} previous={previous} next={next} />
      </Card>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
