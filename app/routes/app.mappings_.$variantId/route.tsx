import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Badge, Box, Page } from "@shopify/polaris";
import type { ThrownDescription } from "../../components/feedback/describe-error.ts";
import { explainStore } from "../../components/feedback/explain-store.server.ts";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { SaveBarProvider } from "../../components/save-bar/save-bar.tsx";
import { readLastChange } from "../../modules/catalogue/last-change.ts";
import { readHistory } from "../../modules/catalogue/read-history.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { readVariant } from "../../modules/reports/read-mappings.ts";
import { addressOf } from "../app.mappings/address.ts";
import { applyAction } from "../app.mappings/apply-action.ts";
import { readSelection } from "../app.mappings/selection.ts";
import { UndoNotice } from "../app.mappings/undo-notice.tsx";
import { HistoryCard } from "./history-card.tsx";
import { MappingForm } from "./mapping-form.tsx";
import { presentHistory } from "./present-history.ts";
import { presentVariantForm } from "./present-variant.ts";

export const meta: MetaFunction<typeof loader> = ({ data: view }) => [
  { title: `${view?.productTitle ?? "Mapping"} · Pathway` },
];

const GONE: ThrownDescription = {
  title: "This product isn’t in your store",
  sentence: "It may have been deleted in Shopify since the page was opened.",
  nextStep: "Choose another product from the list.",
  back: { label: "Go to Product mapping", url: "/app/mappings" },
};

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const { environment } = readSelection(new URL(request.url).searchParams);
  const number = params.variantId ?? "";
  const found = /^\d{1,20}$/.test(number)
    ? await explainStore(
        readVariant(context.app.ports, {
          shop,
          variantId: gid("ProductVariant", number),
          environment,
        }),
      )
    : null;
  if (!found) throw data(GONE, { status: 404 });
  const { environment: shown, productId, id: variantId, catalogue } = found;
  const viewer = { shop, actor, environment: shown, productId };
  const lastChange = await readLastChange(context.app.ports, viewer);
  const place = { shop, environment: shown, productId, variantId };
  const history = presentHistory(await readHistory(context.app.ports, place), catalogue);
  return { ...presentVariantForm(found), lastChange, history };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  return applyAction(context.app.ports, { shop, actor }, await readForm(request));
}

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function VariantPage() {
  const view = useLoaderData<typeof loader>();
  return (
    <Page
      backAction={{ content: "Product mapping", url: addressOf({ environment: view.environment }) }}
      title={view.productTitle}
      subtitle={[view.variantTitle, view.sku].filter(Boolean).join(" · ")}
      titleMetadata={<Badge tone={view.tone}>{view.stateName}</Badge>}
    >
      <SaveBarProvider>
        <MappingForm
          key={`${view.variantId} ${view.environment}`}
          view={view}
          notice={<UndoNotice change={view.lastChange} />}
        />
      </SaveBarProvider>
      <HistoryCard history={view.history} />
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
