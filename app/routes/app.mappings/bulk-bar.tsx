import { useFetcher } from "@remix-run/react";
import { Banner, BlockStack, Box, Button, InlineStack, Select, Text } from "@shopify/polaris";
import { useState } from "react";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { countOf } from "../../messages/mapping.ts";
import { TestPicker } from "../app.mappings_.$variantId/test-picker.tsx";
import { BULK_FORM } from "./bulk-form-name.ts";
import type { Choice } from "./choice.ts";
import type { MappingsView } from "./present-mappings.ts";
import type { Selection } from "./selection.ts";

interface Props {
  view: MappingsView & { selection: Selection };
  choice: Choice;
  total: number;
}

/** What can be done with many variants at once. It works in the background; the card above shows how far it is. */
export function BulkBar({ view, choice, total }: Props) {
  const [isMapping, setMapping] = useState(false);
  const fetcher = useFetcher<FormAnswer>();
  const answer = useAnswer(fetcher, BULK_FORM, () => {
    setMapping(false);
    choice.clear();
  });
  if (choice.count === 0) return null;
  const { selection, environment } = view;
  const isBusy = fetcher.state !== "idle" || view.run?.state === "running";
  const start = (wish: string, items: Record<string, string> = {}) =>
    fetcher.submit(
      {
        intent: "bulk",
        wish,
        environment,
        scope: choice.isAll ? "matching" : "chosen",
        variants: [...choice.ticked].join(","),
        state: selection.state ?? "",
        q: selection.search,
        ...items,
      },
      { method: "post", action: "/app/mappings" },
    );
  return (
    <section className="pathway-bulk" aria-label="Selected variants">
      <BlockStack gap="300">
        <InlineStack gap="200" blockAlign="center">
          <Text as="p" fontWeight="semibold">
            {countOf(choice.count, "variant")} selected
          </Text>
          {!choice.isAll && choice.ticked.size === view.variants.length && total > choice.count && (
            <Button variant="plain" onClick={choice.takeAll}>
              {`Select all ${countOf(total, "variant")} that match`}
            </Button>
          )}
          <Button variant="plain" onClick={choice.clear}>
            Clear
          </Button>
        </InlineStack>
        <InlineStack gap="200">
          <Button
            disabled={isBusy || !view.hasCatalogue}
            ariaExpanded={isMapping}
            onClick={() => setMapping(!isMapping)}
          >
            Map to…
          </Button>
          <Button disabled={isBusy} onClick={() => start("suggest")}>
            Accept suggestions
          </Button>
          <Button disabled={isBusy} onClick={() => start("ignore")}>
            Not a test
          </Button>
        </InlineStack>
        {answer?.errors && (
          <Banner tone="critical">
            <p>{Object.values(answer.errors).join(" ")}</p>
          </Banner>
        )}
        {isMapping && (
          <BulkTarget view={view} isBusy={isBusy} onMap={(items) => start("map", items)} />
        )}
      </BlockStack>
    </section>
  );
}

interface TargetProps {
  view: MappingsView;
  isBusy: boolean;
  onMap(items: Record<string, string>): void;
}

/** The one thing that all of them are to order. */
function BulkTarget({ view, isBusy, onMap }: TargetProps) {
  const [bundleId, setBundle] = useState("");
  const [tests, setTests] = useState<string[]>([]);
  return (
    <Box
      background="bg-surface"
      padding="400"
      borderRadius="200"
      borderWidth="025"
      borderColor="border"
    >
      <BlockStack gap="300">
        <Select
          label="Bundle"
          value={bundleId}
          onChange={setBundle}
          options={[
            { value: "", label: "No bundle" },
            ...view.bundles.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <TestPicker
          label={bundleId ? "Extra tests" : "Tests"}
          tests={view.tests}
          selected={tests}
          onChange={setTests}
        />
        <InlineStack>
          <Button
            variant="primary"
            loading={isBusy}
            disabled={!bundleId && tests.length === 0}
            onClick={() => onMap({ bundleId, tests: tests.join(",") })}
          >
            Map them
          </Button>
        </InlineStack>
      </BlockStack>
    </Box>
  );
}
