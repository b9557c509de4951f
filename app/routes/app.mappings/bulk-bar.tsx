import { useFetcher } from "@remix-run/react";
import { Banner, BlockStack, Button, InlineStack, SkeletonBodyText, Text } from "@shopify/polaris";
import { lazy, Suspense, useState } from "react";
import { appBridge } from "../../components/document/app-bridge.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { BULK_FORM } from "./bulk-form-name.ts";
import type { Choice } from "./choice.ts";
import type { MappingsView } from "./present-mappings.ts";
import type { Selection } from "./selection.ts";

/** Fetched when it is first wanted: choosing among a catalogue takes more code than the whole list. */
const BulkTarget = lazy(() => import("./bulk-target.tsx"));

const ACCEPT_MODAL = "accept-suggestions";
const IGNORE_MODAL = "ignore-variants";

interface Props {
  view: MappingsView & { selection: Selection };
  choice: Choice;
  total: number;
}

/** Offers actions for many variants at once. They run in the background; the card above shows how far they are. */
export default function BulkBar({ view, choice, total }: Props) {
  const [isMapping, setMapping] = useState(false);
  const fetcher = useFetcher<FormAnswer>();
  const answer = useAnswer(fetcher, BULK_FORM, () => {
    setMapping(false);
    choice.clear();
  });
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
          <Button disabled={isBusy} onClick={() => void appBridge()?.modal.show(ACCEPT_MODAL)}>
            Accept suggestions
          </Button>
          <Button disabled={isBusy} onClick={() => void appBridge()?.modal.show(IGNORE_MODAL)}>
            Not a test
          </Button>
        </InlineStack>
        <ConfirmModal
          id={ACCEPT_MODAL}
          title={`Accept suggestions for ${countOf(choice.count, "variant")}?`}
          action="Accept suggestions"
          onConfirm={() => start("suggest")}
        >
          Variants with one clear suggestion are mapped to it, and paid orders that wait for them
          are ordered and charged. A suggestion that costs more than the variant’s price is left out
          and listed in the report. You can undo it afterwards; what was ordered stays.
        </ConfirmModal>
        <ConfirmModal
          id={IGNORE_MODAL}
          title={`Mark ${countOf(choice.count, "variant")} as not a test?`}
          action="Mark as not a test"
          isDestructive
          onConfirm={() => start("ignore")}
        >
          Their mappings end, and new orders of them order nothing. Nobody is told. You can undo it
          afterwards; orders that are under way go on.
        </ConfirmModal>
        {answer?.errors && (
          <Banner tone="critical">
            <p>{Object.values(answer.errors).join(" ")}</p>
          </Banner>
        )}
        {isMapping && (
          <Suspense fallback={<SkeletonBodyText lines={4} />}>
            <BulkTarget
              view={view}
              count={choice.count}
              isBusy={isBusy}
              onMap={(items) => start("map", items)}
            />
          </Suspense>
        )}
      </BlockStack>
    </section>
  );
}
