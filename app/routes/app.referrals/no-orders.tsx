import { Link } from "@shopify/polaris";
import { Empty } from "../../components/lists/empty.tsx";
import { STAGE_WORDS } from "../../modules/reports/stage-words.ts";
import { ORDER_IMPORT_ADDRESS } from "../app.settings/order-import-address.ts";
import type { OrderSelection } from "./order-address.ts";

interface Props {
  selection: OrderSelection;
  /** The list's address without what narrows it down but its stage. */
  unfiltered: string;
}

/** Says why nothing is listed, and what to do about it. */
export function NoOrders({ selection, unfiltered }: Props) {
  const { filter, search, orderMode, paidFrom, paidUntil } = selection;
  if (search)
    return (
      <Empty
        heading={`No order is found by “${search}”`}
        action={{ content: "Show all orders", url: "/app/referrals" }}
      >
        Search by whole words of the customer’s name, product or tag, the whole email address, an
        order number or a reference. A phone number, or the name of a patient who isn’t the buyer,
        finds nothing: ask for the order number. Only paid orders are listed. If Shopify shows the
        order as paid, <Link url={ORDER_IMPORT_ADDRESS}>import it</Link>.
      </Empty>
    );
  if (orderMode || paidFrom || paidUntil)
    return (
      <Empty
        heading="No order fits these filters"
        action={{ content: "Clear filters", url: unfiltered }}
      >
        Try another kind of order, or other days.
      </Empty>
    );
  if (filter === "attention")
    return (
      <Empty
        heading="Nothing needs your attention"
        action={{ content: "Show all orders", url: "/app/referrals" }}
      >
        When a paid test can’t go on by itself, it appears here with what to do.
      </Empty>
    );
  if (filter !== "all")
    return (
      <Empty
        heading={`No order is at “${STAGE_WORDS[filter].name}”`}
        action={{ content: "Show all orders", url: "/app/referrals" }}
      >
        Orders appear here as soon as one of their tests gets there.
      </Empty>
    );
  return (
    <Empty
      heading="No paid orders yet"
      action={{ content: "Map your products", url: "/app/mappings" }}
    >
      When a customer pays for a mapped product, the order appears here within seconds.
    </Empty>
  );
}
