import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData, useNavigate } from "@remix-run/react";
import { Badge, BlockStack, Box, Card, Page, Pagination } from "@shopify/polaris";
import { downloadFile } from "../../components/download/download-file.ts";
import type { ThrownDescription } from "../../components/feedback/describe-error.ts";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { FilterTabs } from "../../components/lists/filter-tabs.tsx";
import { keepShown } from "../../components/loading/looks.ts";
import {
  describeOutcome,
  RUN_STATES,
  RUN_TITLES,
} from "../../modules/catalogue/mapping-run-words.ts";
import { readRun } from "../../modules/catalogue/read-run.ts";
import { applyRun, cancelRun } from "../../modules/catalogue/work-run.ts";
import { ENVIRONMENT_NAMES } from "../../modules/lifecycle/connection-words.ts";
import { addressOf } from "../app.mappings/address.ts";
import { presentRun } from "../app.mappings/present-mappings.ts";
import { RunCard } from "../app.mappings/run-card.tsx";
import { DraftCard } from "./draft-card.tsx";
import { RunRows } from "./run-rows.tsx";
import { readRunId, readRunSelection } from "./run-selection.ts";

export const meta: MetaFunction = () => [{ title: "Report · Pathway" }];

const GONE: ThrownDescription = {
  title: "This report isn’t there",
  sentence: "Reports are kept for 90 days.",
  nextStep: "Go back to the list of products.",
  back: { label: "Go to Product mapping", url: "/app/mappings" },
};

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const runId = readRunId(params.runId);
  const { outcome, after } = readRunSelection(new URL(request.url).searchParams);
  const report =
    runId &&
    (await readRun(context.app.ports, { shop, runId, after, ...(outcome ? { outcome } : {}) }));
  if (!report) throw data(GONE, { status: 404 });
  const rows = report.rows.map(({ change: _, ...row }) => row);
  const { next, previous } = report;
  return { run: presentRun(report.run), rows, next, previous, outcome: outcome ?? null };
}

/** Applies a draft, or cancels a run. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop } = await context.merchant(request);
  const runId = readRunId(params.runId);
  const intent = (await readForm(request)).get("intent");
  if (!runId || (intent !== "apply" && intent !== "cancel")) throw data(null, { status: 400 });
  const move = intent === "apply" ? applyRun : cancelRun;
  const outcome = await move(context.app.ports, { shop, runId });
  return data(
    { isRefused: outcome === "not_possible" },
    { status: outcome === "moved" ? 200 : 409 },
  );
}

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;
export const clientLoader = keepShown;

export default function RunPage() {
  const { run, rows, next, previous, outcome } = useLoaderData<typeof loader>();
  const navigate = useNavigate();
  const { counts } = run;
  const address = (query: Record<string, string>) => {
    const text = new URLSearchParams(query).toString();
    return `/app/mappings/runs/${run.id}${text ? `?${text}` : ""}`;
  };
  const here: Record<string, string> = outcome ? { outcome } : {};
  const tab = (key: Parameters<typeof describeOutcome>[0], count: number) => ({
    label: `${describeOutcome(key, run.kind).name} (${count})`,
    url: address({ outcome: key }),
    isCurrent: outcome === key,
  });
  return (
    <Page
      backAction={{ content: "Product mapping", url: addressOf({ environment: run.environment }) }}
      title={RUN_TITLES[run.kind]}
      subtitle={[run.fileName, ENVIRONMENT_NAMES[run.environment]].filter(Boolean).join(" · ")}
      titleMetadata={<Badge tone={RUN_STATES[run.state].tone}>{RUN_STATES[run.state].name}</Badge>}
      secondaryActions={[
        {
          content: "Download report",
          onAction: () =>
            void downloadFile(`/app/mappings/runs/${run.id}/report`, "pathway-report.csv"),
        },
      ]}
    >
      <BlockStack gap="400">
        {run.state === "draft" ? <DraftCard run={run} /> : <RunCard run={run} isPage />}
        <Card padding="0">
          <FilterTabs
            label="Rows by outcome"
            tabs={[
              { label: `All (${counts.total})`, url: address({}), isCurrent: outcome === null },
              ...(counts.waiting > 0 ? [tab("waiting", counts.waiting)] : []),
              ...(run.state === "draft" ? [] : [tab("done", counts.done)]),
              tab("nothing_to_do", counts.nothing_to_do),
              tab("refused", counts.refused),
              ...(counts.failed > 0 ? [tab("failed", counts.failed)] : []),
            ]}
          />
          <RunRows rows={rows} kind={run.kind} state={run.state} />
          {(next !== null || previous !== null) && (
            <Pagination
              type="table"
              hasNext={next !== null}
              onNext={() => navigate(address({ ...here, after: String(next) }))}
              hasPrevious={previous !== null}
              onPrevious={() =>
                navigate(address(previous ? { ...here, after: String(previous) } : here))
              }
            />
          )}
        </Card>
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
