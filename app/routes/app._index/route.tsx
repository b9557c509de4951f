import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Box, Layout, Page } from "@shopify/polaris";
import { readHome } from "../../domain/overview/read-home.ts";
import { AttentionCard } from "./attention-card.tsx";
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

export default function HomePage() {
  const view = useLoaderData<typeof loader>();
  return (
    <Page title="Home">
      <BlockStack gap="400">
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
