import { useNavigate, useNavigation } from "@remix-run/react";
import { Box } from "@shopify/polaris";
import { FilterTabs } from "../../components/lists/filter-tabs.tsx";
import { SearchField } from "../../components/lists/search-field.tsx";
import { ORDER_FILTERS } from "../../domain/overview/overview-repository.ts";
import { STAGE_WORDS } from "../../messages/stages.ts";
import { type OrderSelection, orderAddress } from "./order-address.ts";

/** Which orders to show: by where their tests stand, and by name. */
export function OrdersToolbar({ selection }: { selection: OrderSelection }) {
  const navigate = useNavigate();
  const isLoading = useNavigation().state === "loading";
  const { filter, search } = selection;
  return (
    <>
      <FilterTabs
        label="Filter by status"
        tabs={ORDER_FILTERS.map((one) => ({
          label: one === "all" ? "All" : STAGE_WORDS[one].name,
          url: orderAddress({ filter: one, search }),
          isCurrent: one === filter,
        }))}
      />
      <Box padding="300" borderBlockEndWidth="025" borderColor="border">
        <SearchField
          label="Search orders"
          placeholder="Search by order number"
          value={search}
          isLoading={isLoading}
          onSearch={(text) => navigate(orderAddress({ filter, search: text }), { replace: true })}
        />
      </Box>
    </>
  );
}
