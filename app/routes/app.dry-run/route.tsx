import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Box, Page } from "@shopify/polaris";
import { explainStore } from "../../components/feedback/explain-store.server.ts";
import { dryRunOrder } from "../../modules/orders/dry-run-order.ts";
import { NothingFound } from "./nothing-found.tsx";
import { OrderSearch } from "./order-search.tsx";
import { Plan } from "./plan.tsx";
import { presentDryRun } from "./present-dry-run.ts";

export const meta: MetaFunction = () => [{ title: "Dry run · Pathway" }];

const NAME_LIMIT = 64;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const name = (new URL(request.url).searchParams.get("order") ?? "").trim().slice(0, NAME_LIMIT);
  if (!name) return { name, plan: null };
  const outcome = await explainStore(dryRunOrder(context.app.ports, { shop, name }));
  return { name, plan: outcome.kind === "planned" ? presentDryRun(context.app, outcome) : null };
}

export default function DryRunPage() {
  const { name, plan } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Dry run"
      subtitle="See exactly what Pathway would send for an order. Nothing is sent or changed."
      backAction={{ content: "Orders and referrals", url: "/app/referrals" }}
    >
      <BlockStack gap="400">
        <OrderSearch name={name} />
        {plan && <Plan plan={plan} />}
        {!plan && name && <NothingFound name={name} />}
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
