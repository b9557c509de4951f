import type { Environment } from "../../shops/connection.ts";
import type { Shop } from "../../shops/shop.ts";
import type { StoreOrder } from "../order.ts";

/** The environment that an order is ordered in. Where money was not real, nothing real may be ordered. */
export const environmentOf = (
  { environment }: Pick<Shop, "environment">,
  { test }: Pick<StoreOrder, "test">,
): Environment => (test ? "staging" : environment);
