import { useNavigate, useNavigation } from "@remix-run/react";
import { SearchField } from "../../components/lists/search-field.tsx";
import { ORDER_MODES, ORDER_SORTS } from "../../modules/reports/order-selection.ts";
import { ORDER_MODE_NAMES, ORDER_SORT_NAMES } from "../../modules/reports/order-words.ts";
import { ALL_ORDERS, type OrderSelection, orderAddress, selectionText } from "./order-address.ts";
import type { ViewRow } from "./present-orders.ts";
import { SaveView } from "./save-view.tsx";

interface Props {
  selection: OrderSelection;
  views: ViewRow[];
}

/** Chooses which orders to show, and in which order: a search looks through all of them. */
export function OrdersToolbar({ selection, views }: Props) {
  const navigate = useNavigate();
  const isLoading = useNavigation().state === "loading";
  const { orderMode, paidFrom, paidUntil, sort, search } = selection;
  const text = selectionText(selection);
  const view = views.find((one) => one.selection === text) ?? null;
  const canSave = view !== null || text !== "";
  const show = (change: Partial<OrderSelection>) =>
    navigate(orderAddress({ ...selection, search: "", ...change }), {
      replace: true,
      preventScrollReset: true,
    });
  return (
    <div className="pathway-toolbar">
      <div className="pathway-toolbar-search">
        <SearchField
          label="Search orders"
          placeholder="Customer, email, product, number"
          value={search}
          isLoading={isLoading}
          onSearch={(text) =>
            navigate(
              orderAddress({ ...(text ? { ...ALL_ORDERS, sort } : selection), search: text }),
              {
                replace: true,
              },
            )
          }
        />
      </div>
      <label className="pathway-filter">
        <span>Kind</span>
        <select
          value={orderMode ?? ""}
          onChange={({ target }) =>
            show({ orderMode: ORDER_MODES.find((one) => one === target.value) ?? null })
          }
        >
          <option value="">All kinds</option>
          {ORDER_MODES.map((one) => (
            <option key={one} value={one}>
              {ORDER_MODE_NAMES[one]}
            </option>
          ))}
        </select>
      </label>
      <label className="pathway-filter">
        <span>Paid from</span>
        <input
          type="date"
          key={`from ${paidFrom}`}
          defaultValue={paidFrom ?? ""}
          max={paidUntil ?? undefined}
          onBlur={({ target }) => {
            if (target.value !== (paidFrom ?? "")) show({ paidFrom: target.value || null });
          }}
        />
      </label>
      <label className="pathway-filter">
        <span>Paid until</span>
        <input
          type="date"
          key={`until ${paidUntil}`}
          defaultValue={paidUntil ?? ""}
          min={paidFrom ?? undefined}
          onBlur={({ target }) => {
            if (target.value !== (paidUntil ?? "")) show({ paidUntil: target.value || null });
          }}
        />
      </label>
      <label className="pathway-filter">
        <span>Sort</span>
        <select
          value={sort}
          onChange={({ target }) =>
            show({ search, sort: ORDER_SORTS.find((one) => one === target.value) ?? "newest" })
          }
        >
          {ORDER_SORTS.map((one) => (
            <option key={one} value={one}>
              {ORDER_SORT_NAMES[one]}
            </option>
          ))}
        </select>
      </label>
      {canSave && <SaveView key={text} selection={text} view={view} />}
    </div>
  );
}
