import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Banner, BlockStack, Box, Card, Page } from "@shopify/polaris";
import { explainStore } from "../../components/feedback/explain-store.server.ts";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { keepShown } from "../../components/loading/looks.ts";
import { useFetched } from "../../components/loading/use-fetched.ts";
import { CatalogueDate } from "../../components/moment/catalogue-date.tsx";
import { readLastChange } from "../../modules/catalogue/last-change.ts";
import { readMappings } from "../../modules/reports/read-mappings.ts";
import { importAddress } from "./address.ts";
import { applyAction } from "./apply-action.ts";
import { MappingList } from "./mapping-list.tsx";
import { MappingsFooter } from "./mappings-footer.tsx";
import { MappingsToolbar } from "./mappings-toolbar.tsx";
import { Notices } from "./notices.tsx";
import { presentMappings } from "./present-mappings.ts";
import { placeOf, readSelection } from "./selection.ts";
import { StateTabs } from "./state-tabs.tsx";
import { UndoNotice } from "./undo-notice.tsx";

/** Needed where many mappings are changed at once. */
const loadRunCard = () => import("./run-card.tsx");

export const meta: MetaFunction = () => [{ title: "Product mapping · Pathway" }];

/** A run that ended is shown for this long. */
const RECENT_MS = 15 * 60_000;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const selection = readSelection(new URL(request.url).searchParams);
  const { environment, state, search } = selection;
  const overview = await explainStore(
    readMappings(context.app.ports, {
      shop,
      environment,
      state,
      search,
      place: placeOf(selection),
    }),
  );
  const view = presentMappings(overview);
  const since = context.app.ports.clock.now().getTime() - RECENT_MS;
  const isOld = view.run?.state !== "running" && (overview.run?.finishedAt?.getTime() ?? 0) < since;
  const viewer = { shop, actor, environment: view.environment };
  const lastChange = await readLastChange(context.app.ports, viewer);
  return { ...view, run: isOld ? null : view.run, lastChange, selection };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  return applyAction(context.app.ports, { shop, actor }, await readForm(request));
}

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;
export const clientLoader = keepShown;

export default function MappingsPage() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const card = useFetched(view.run !== null, loadRunCard);
  const file = `/app/mappings/export?environment=${view.environment}`;
  return (
    <Page
      title="Product mapping"
      subtitle="Choose the tests each product includes. Other products are ignored."
      secondaryActions={[
        { content: "Export", onAction: () => void exportTo(file) },
        { content: "Import", url: importAddress(view.environment) },
        { content: "Practitioners", url: "/app/practitioners" },
      ]}
    >
      <BlockStack gap="400">
        {answer?.errors && (
          <Banner tone="critical" title="The mapping wasn’t saved">
            <p>{Object.values(answer.errors).join(" ")}</p>
          </Banner>
        )}
        <UndoNotice change={view.lastChange} />
        <Notices view={view} />
        {view.run && card && <card.RunCard key={view.run.id} run={view.run} />}
        <Card padding="0">
          <StateTabs view={view} />
          <MappingsToolbar view={view} />
          <MappingList view={view} />
          <MappingsFooter view={view} />
        </Card>
        {view.catalogueAt && <CatalogueDate at={view.catalogueAt} />}
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}

/** What saves a file is fetched when somebody wants one. */
async function exportTo(file: string): Promise<void> {
  const { downloadFile } = await import("../../components/download/download-file.ts");
  await downloadFile(file, "pathway-mappings.csv");
}
