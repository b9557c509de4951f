import { BlockStack, Box, Button, InlineStack, Select } from "@shopify/polaris";
import { useState } from "react";
import { appBridge } from "../../components/document/app-bridge.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";
import { costOf } from "../../modules/catalogue/cost.ts";
import { describeUnitPrice } from "../../modules/catalogue/price-words.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { TestPicker } from "../app.mappings_.$variantId/test-picker.tsx";
import type { MappingsView } from "./present-mappings.ts";

const MODAL = "map-variants";

interface Props {
  view: MappingsView;
  /** How many variants. */
  count: number;
  isBusy: boolean;
  onMap(items: Record<string, string>): void;
}

/** The one thing that all of the chosen variants are to order. */
export default function BulkTarget({ view, count, isBusy, onMap }: Props) {
  const [bundleId, setBundle] = useState("");
  const [tests, setTests] = useState<string[]>([]);
  const cost = costOf({ bundleId: bundleId || null, tests }, view);
  const { suffix, sentence } = describeUnitPrice(cost);
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
            onClick={() => void appBridge()?.modal.show(MODAL)}
          >
            Map them
          </Button>
          <ConfirmModal
            id={MODAL}
            title={`Map ${countOf(count, "variant")}?`}
            action={`Map ${countOf(count, "variant")}${suffix}`}
            onConfirm={() => onMap({ bundleId, tests: tests.join(",") })}
          >
            {`This replaces what they’re mapped to. Paid orders that wait for them are ordered now. For each test that’s bought: ${sentence}`}
          </ConfirmModal>
        </InlineStack>
      </BlockStack>
    </Box>
  );
}
