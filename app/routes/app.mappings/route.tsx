import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Banner, BlockStack, Box, Card, Page } from "@shopify/polaris";
import { explainStore } from "../../components/feedback/explain-store.server.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { readMappings } from "../../domain/overview/read-mappings.ts";
import { applyMapping } from "./apply-mapping.ts";
import { MappingList } from "./mapping-list.tsx";
import { MappingsFooter } from "./mappings-footer.tsx";
import { MappingsToolbar } from "./mappings-toolbar.tsx";
import { presentMappings } from "./present-mappings.ts";
import { readSelection } from "./selection.ts";
import { UnmappedSales } from "./unmapped-sales.tsx";

export const meta: MetaFunction = () => [{ title: "Mapping · Pathway" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const selection = readSelection(new URL(request.url).searchParams);
  const overview = await explainStore(readMappings(context.app.ports, { shop, ...selection }));
  return { ...presentMappings(overview), selection };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop } = await context.merchant(request);
  return applyMapping(context.app.ports, shop, await readForm(request));
}

export default function MappingsPage() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <Page
      title="Mapping"
      subtitle="Say what each product orders from the laboratory. Anything else in an order is left alone."
    >
      <BlockStack gap="400">
        {answer?.errors && (
          <Banner tone="critical" title="The mapping wasn’t saved">
            <p>{Object.values(answer.errors).join(" ")}</p>
          </Banner>
        )}
        {!view.hasCatalogue && (
          <Banner
            title="Connect to the referral service first"
            action={{ content: "Open settings", url: "/app/settings" }}
          >
            <p>Its catalogue of tests and bundles is what your products are mapped to.</p>
          </Banner>
        )}
        <UnmappedSales sales={view.unmappedSales} />
        <Card padding="0">
          <MappingsToolbar view={view} />
          <MappingList view={view} />
          <MappingsFooter view={view} />
        </Card>
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
