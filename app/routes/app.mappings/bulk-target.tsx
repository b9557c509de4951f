import { BlockStack, Box, Button, InlineStack, Select } from "@shopify/polaris";
import { useState } from "react";
import { TestPicker } from "../app.mappings_.$variantId/test-picker.tsx";
import type { MappingsView } from "./present-mappings.ts";

interface Props {
  view: MappingsView;
  isBusy: boolean;
  onMap(items: Record<string, string>): void;
}

/** The one thing that all of the chosen variants are to order. */
export default function BulkTarget({ view, isBusy, onMap }: Props) {
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
