import { useFetcher } from "@remix-run/react";
import { Banner, Box, Checkbox, SkeletonBodyText } from "@shopify/polaris";
import { lazy, Suspense, useCallback, useDeferredValue } from "react";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { Empty } from "../../components/lists/empty.tsx";
import { VARIANT_STATE_WORDS } from "../../modules/catalogue/mapping-words.ts";
import { addressOf } from "./address.ts";
import { useChoice } from "./choice.ts";
import { MappingCards } from "./mapping-cards.tsx";
import { MAPPING_FORM } from "./mapping-form-name.ts";
import { MappingTable } from "./mapping-table.tsx";
import type { MappingsView } from "./present-mappings.ts";
import { PROPOSAL_FETCHER } from "./proposals.tsx";
import type { Selection } from "./selection.ts";

/** Fetched when the first variant is ticked: nobody needs it before. */
const BulkBar = lazy(() => import("./bulk-bar.tsx"));

/** The variants: a table where there is room for one, cards on a phone. CSS decides, so that nothing jumps. */
export function MappingList({ view }: { view: MappingsView & { selection: Selection } }) {
  const { variants, selection, environment, counts } = view;
  const total = selection.state
    ? counts[selection.state]
    : Object.values(counts).reduce((sum, count) => sum + count, 0);
  const numbers = variants.map((variant) => variant.number);
  const choice = useChoice(numbers, total, addressOf(selection));
  const proposer = useFetcher<FormAnswer>({ key: PROPOSAL_FETCHER });
  const answer = useAnswer(proposer, MAPPING_FORM);
  // The tick is drawn first: what it offers moves the whole list.
  const isChosen = useDeferredValue(choice.count > 0);
  const suffix = selection.environment ? `?environment=${environment}` : "";
  const address = useCallback((number: string) => `/app/mappings/${number}${suffix}`, [suffix]);
  if (variants.length === 0) return <NoVariants view={view} />;
  const isFull = numbers.every((number) => choice.ticked.has(number));
  return (
    <>
      {answer?.errors && (
        <Box padding="300">
          <Banner tone="critical" title="The mapping wasn’t saved">
            <p>{Object.values(answer.errors).join(" ")}</p>
          </Banner>
        </Box>
      )}
      <Box paddingInlineStart={{ xs: "400", md: "300" }} paddingInlineEnd="400" paddingBlock="200">
        <Checkbox
          label="Select all on this page"
          checked={isFull ? true : choice.count > 0 ? "indeterminate" : false}
          onChange={choice.togglePage}
        />
      </Box>
      {isChosen && choice.count > 0 && (
        <Suspense fallback={<SkeletonBodyText lines={2} />}>
          <BulkBar view={view} choice={choice} total={total} />
        </Suspense>
      )}
      <div className="pathway-wide">
        <MappingTable variants={variants} choice={choice} address={address} />
      </div>
      <div className="pathway-narrow">
        <MappingCards variants={variants} choice={choice} address={address} />
      </div>
    </>
  );
}

function NoVariants({ view }: { view: MappingsView & { selection: Selection } }) {
  const { search, state, environment } = view.selection;
  if (search)
    return (
      <Empty
        heading={`Nothing found for “${search}”`}
        action={{ content: "Show all products", url: addressOf({ environment }) }}
      >
        Try the product’s name or its SKU.
      </Empty>
    );
  if (state)
    return (
      <Empty
        heading={
          state === "broken" || state === "unmapped"
            ? `Nothing is ${VARIANT_STATE_WORDS[state].name.toLowerCase()}`
            : `Nothing here is ${VARIANT_STATE_WORDS[state].name.toLowerCase()} yet`
        }
        action={{ content: "Show all products", url: addressOf({ environment }) }}
      >
        {state === "broken" || state === "unmapped"
          ? "There is nothing to do here."
          : "Choose products in the list of all, and say what they are."}
      </Empty>
    );
  if (view.freshness === "stale")
    return (
      <Empty
        heading="Shopify isn’t answering"
        action={{ content: "Try again", url: "/app/mappings" }}
      >
        Your products have not been read yet. Nothing is lost; try again in a minute.
      </Empty>
    );
  return (
    <Empty
      heading="Your store has no products yet"
      action={{ content: "Add a product in Shopify", url: "shopify://admin/products/new" }}
    >
      Add the tests you sell as products, then map them here.
    </Empty>
  );
}
