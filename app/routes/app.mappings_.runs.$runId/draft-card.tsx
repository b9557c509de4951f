import { useFetcher } from "@remix-run/react";
import { Banner, BlockStack, Button, Card, InlineStack, Link, Text } from "@shopify/polaris";
import { describeCounts } from "../../modules/catalogue/mapping-run-words.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { ENVIRONMENT_NAMES } from "../../modules/lifecycle/connection-words.ts";
import { importAddress } from "../app.mappings/address.ts";
import type { RunView } from "../app.mappings/present-mappings.ts";

/** Shows what a file or a copy would change, before anything changes. */
export function DraftCard({ run }: { run: RunView }) {
  const fetcher = useFetcher<{ isRefused: boolean }>();
  const { waiting: open, refused } = run.counts;
  const isCopy = run.kind === "copy";
  const place = ENVIRONMENT_NAMES[run.environment].toLowerCase();
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {open > 0 ? "Look before you apply" : `This ${isCopy ? "copy" : "file"} changes nothing`}
        </Text>
        <Text as="p">
          For {place}. {describeCounts(run.counts, run)}
        </Text>
        {refused > 0 && (
          <Text as="p" tone="critical">
            {isCopy
              ? `${countOf(refused, "mapping")} can’t be copied: each says below what this catalogue lacks. Apply the rest, then map ${refused === 1 ? "it" : "them"} by hand.`
              : `${countOf(refused, "line")} can’t be applied. Correct ${refused === 1 ? "it" : "them"} in the file and import it again, or apply the rest.`}
          </Text>
        )}
        {/* They may stand on any page of a long file. */}
        {refused > 0 && (
          <Text as="p">
            <Link url={`/app/mappings/runs/${run.id}?outcome=refused`}>
              {refused === 1 ? "Show the error" : `Show the ${countOf(refused, "error")}`}
            </Link>
          </Text>
        )}
        {fetcher.data?.isRefused && (
          <Banner tone="warning">
            <p>Another change is under way. Wait until it is done, then apply this.</p>
          </Banner>
        )}
        <InlineStack gap="200">
          {open > 0 && (
            <fetcher.Form method="post">
              <input type="hidden" name="intent" value="apply" />
              <Button submit variant="primary" loading={fetcher.state !== "idle"}>
                {`Apply ${countOf(open, "change")} to ${place}`}
              </Button>
            </fetcher.Form>
          )}
          {!isCopy && <Button url={importAddress(run.environment)}>Import another file</Button>}
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
