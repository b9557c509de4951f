import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Box, Layout, Page } from "@shopify/polaris";
import { readForm } from "../../components/form/read-form.server.ts";
import { readHome } from "../../domain/overview/read-home.ts";
import { askForBulkReorder } from "../../domain/requests/reorder-billing-failed.ts";
import { AttentionCard } from "./attention-card.tsx";
import { BillingBanner } from "./billing-banner.tsx";
import { ChartCard } from "./chart-card.tsx";
import { HealthCard } from "./health-card.tsx";
import { presentHome } from "./present-home.ts";
import { SetupGuide } from "./setup-guide.tsx";
import { StageTiles } from "./stage-tiles.tsx";

export const meta: MetaFunction = () => [{ title: "Home · Pathway" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  return presentHome(context.app, await readHome(context.app.ports, shop));
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, sessionToken } = await context.merchant(request);
  const form = "reorder-billing-failed";
  if ((await readForm(request)).get("intent") !== form) throw data(null, { status: 400 });
  const actor = `staff:${sessionToken?.sub ?? "unknown"}` as const;
  const bulk = await askForBulkReorder(context.app.ports, { shop, actor });
  const toast = bulk ? "Ordering them again" : "Nothing is left to order again";
  return { form, toast, toastIsError: bulk === null };
}

export default function HomePage() {
  const view = useLoaderData<typeof loader>();
  return (
    <Page title="Home">
      <BlockStack gap="400">
        <BillingBanner billing={view.billing} />
        <SetupGuide steps={view.steps} />
        <StageTiles tiles={view.tiles} />
        <Layout>
          <Layout.Section>
            <BlockStack gap="400">
              <AttentionCard items={view.attention} hasMore={view.hasMoreAttention} />
              <ChartCard days={view.days} />
            </BlockStack>
          </Layout.Section>
          <Layout.Section variant="oneThird">
            <HealthCard health={view.health} now={view.now} />
          </Layout.Section>
        </Layout>
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
