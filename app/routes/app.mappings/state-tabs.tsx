import { FilterTabs } from "../../components/lists/filter-tabs.tsx";
import { VARIANT_STATE_WORDS } from "../../modules/catalogue/mapping-words.ts";
import type { VariantState } from "../../modules/catalogue/store-variants.ts";
import { addressOf } from "./address.ts";
import type { MappingsView } from "./present-mappings.ts";
import type { Selection } from "./selection.ts";

const ORDER: VariantState[] = ["unmapped", "broken", "mapped", "ignored"];
const number = new Intl.NumberFormat("en-AU");

/** One tab for each state, with how many variants are in it. What needs somebody comes first. */
export function StateTabs({ view }: { view: MappingsView & { selection: Selection } }) {
  const { counts, selection } = view;
  const { environment, search } = selection;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const tab = (state: VariantState | null, name: string, count: number) => ({
    label: `${name} (${number.format(count)})`,
    url: addressOf({ environment, search, state }),
    isCurrent: selection.state === state,
  });
  return (
    <FilterTabs
      label="Variants by state"
      tabs={[
        tab(null, "All", all),
        ...ORDER.map((state) => tab(state, VARIANT_STATE_WORDS[state].name, counts[state])),
      ]}
    />
  );
}
