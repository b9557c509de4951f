import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Box, Card, Page } from "@shopify/polaris";
import { BulkProgress } from "../../components/bulk/bulk-progress.tsx";
import { useBulk } from "../../components/bulk/use-bulk.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { Empty } from "../../components/lists/empty.tsx";
import { readAttention } from "../../modules/reports/read-orders.ts";
import { readPage } from "../app.referrals/order-selection.ts";
import { applyAttention } from "./apply-attention.ts";
import { attentionForm } from "./attention-form.ts";
import { AttentionList } from "./attention-list.tsx";
import { presentAttention } from "./present-attention.ts";

const PAGE_SIZE = 25;

export const meta: MetaFunction = () => [{ title: "Needs attention · Pathway" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const page = readPage(new URL(request.url).searchParams);
  const overview = await readAttention(context.app.ports, { shop, ...page, size: PAGE_SIZE });
  return presentAttention(context.app, overview);
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const form = attentionForm.safeParse(Object.fromEntries(await readForm(request)));
  if (!form.success) throw data(null, { status: 400 });
  return applyAttention(context.app.ports, { shop, actor }, form.data);
}

export default function AttentionPage() {
  const { items, previous, next, run } = useLoaderData<typeof loader>();
  const bulk = useBulk(run);
  return (
    <Page
      title="Needs attention"
      subtitle="What can’t go on without you: one reason and one thing to do for each."
    >
      {bulk.runId && <BulkProgress key={bulk.runId} runId={bulk.runId} onClose={bulk.close} />}
      <Card padding="0">
        {items.length === 0 ? (
          <Empty
            heading="Nothing needs your attention"
            action={{ content: "See all orders", url: "/app/referrals" }}
          >
            Every paid test is on its way. Pathway tells you here when something needs you.
          </Empty>
        ) : (
          <AttentionList items={items} previous={previous} next={next} bulk={bulk} />
        )}
      </Card>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
