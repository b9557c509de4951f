import { FilterTabs } from "../../components/lists/filter-tabs.tsx";
import { ORDER_FILTERS } from "../../modules/reports/order-selection.ts";
import { STAGE_WORDS } from "../../modules/reports/stage-words.ts";
import { ALL_ORDERS, type OrderSelection, orderAddress, selectionText } from "./order-address.ts";
import type { ViewRow } from "./present-orders.ts";

/** Views of the list: one for each status, then those that the shop's staff have saved. */
export function ViewTabs({
  selection,
  views,
  counts,
}: {
  selection: OrderSelection;
  views: ViewRow[];
  /** Orders in each status, as a text; none for all of them. */
  counts: Record<string, string>;
}) {
  const current = selectionText(selection);
  const isSaved = views.some((view) => view.selection === current);
  return (
    <FilterTabs
      label="Views"
      tabs={[
        ...ORDER_FILTERS.map((filter) => ({
          label: filter === "all" ? "All" : STAGE_WORDS[filter].name,
          count: counts[filter],
          url: orderAddress({ ...ALL_ORDERS, filter }),
          isCurrent: !isSaved && !selection.search && filter === selection.filter,
        })),
        ...views.map((view) => ({
          label: view.name,
          url: `/app/referrals?${view.selection}`,
          isCurrent: view.selection === current,
        })),
      ]}
    />
  );
}
