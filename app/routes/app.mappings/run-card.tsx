import { useFetcher } from "@remix-run/react";
import { Badge, BlockStack, Button, Card, InlineStack, Link, Text } from "@shopify/polaris";
import { useLooks } from "../../components/loading/use-looks.ts";
import { useLastReading } from "../../components/loading/use-rereading.ts";
import { ProgressBar } from "../../components/progress/progress-bar.tsx";
import type { RunView } from "./present-mappings.ts";
import { UndoRun } from "./undo-run.tsx";

const POLL_MS = 1_000;

/** How far a change of many mappings has come, while it goes on and afterwards. */
export function RunCard({ run: given, isPage = false }: { run: RunView; isPage?: boolean }) {
  const run = useProgress(given);
  const canceller = useFetcher();
  const { total, waiting: open } = run.counts;
  const percent = total === 0 ? 100 : Math.floor((100 * (total - open)) / total);
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <InlineStack gap="200" blockAlign="center">
            <Text as="h2" variant="headingMd" id="run-title">
              {!isPage ? run.title : run.state === "running" ? "Progress" : "Outcome"}
            </Text>
            {/* The page says it beside its title. */}
            {!isPage && <Badge tone={run.standing.tone}>{run.standing.name}</Badge>}
          </InlineStack>
          <InlineStack gap="300" blockAlign="center">
            {!isPage && <Link url={`/app/mappings/runs/${run.id}`}>See the report</Link>}
            <UndoRun run={run} />
            {run.state === "running" && (
              <canceller.Form method="post" action={`/app/mappings/runs/${run.id}`}>
                <input type="hidden" name="intent" value="cancel" />
                <Button submit loading={canceller.state !== "idle"}>
                  Cancel
                </Button>
              </canceller.Form>
            )}
          </InlineStack>
        </InlineStack>
        {run.state === "running" && <ProgressBar percent={percent} labelledBy="run-title" />}
        <div role="status">
          <Text as="p" tone="subdued">
            {run.told}
          </Text>
        </div>
      </BlockStack>
    </Card>
  );
}

/** Asks for the run's state while it goes on, and for the page's when it has ended. */
function useProgress(given: RunView): RunView {
  const isGoingOn = given.state === "running";
  const fresh = useLooks<{ run: RunView }>(
    `/app/mappings/runs/${given.id}`,
    (read) => isGoingOn && (read?.run.state ?? "running") === "running",
    POLL_MS,
  )?.run;
  const run = isGoingOn && fresh?.id === given.id ? fresh : given;
  useLastReading(isGoingOn && run.state !== "running");
  return run;
}
