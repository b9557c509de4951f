import { useNavigate } from "@remix-run/react";
import { Pagination } from "@shopify/polaris";
import { type OrderSelection, orderAddress } from "./order-address.ts";

interface Props {
  selection: OrderSelection;
  previous: string | null;
  next: string | null;
}

export function OrdersFooter({ selection, previous, next }: Props) {
  const navigate = useNavigate();
  if (!previous && !next) return null;
  return (
    <Pagination
      type="table"
      hasPrevious={previous !== null}
      onPrevious={() => navigate(orderAddress({ ...selection, before: previous }))}
      hasNext={next !== null}
      onNext={() => navigate(orderAddress({ ...selection, after: next }))}
      accessibilityLabel="Pages of orders"
    />
  );
}
