import { errorCode } from "../../platform/error-code.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";

/** Shopify certainly did nothing, and the name itself may be why. */
const NOT_BY_THIS_NAME: ReadonlySet<string> = new Set([
  ...["store_not_found", "store_not_signed_in", "store_no_session", "store_unreachable"],
]);

/**
 * Has a call made by the session of the shop's own name or, where that one is of no use, by that of its store's present name. Orders that
 * came under a former name stay there, and their store is told by whichever name lets the app in. Which store a session is of
 * is asked of Shopify with that session, before anything is written by it.
 */
export async function underPresentName<T>(
  { tenancy, storeAccess }: Pick<Ports, "tenancy" | "storeAccess">,
  shop: ShopDomain,
  call: (name: ShopDomain) => Promise<T>,
): Promise<T> {
  try {
    return await call(shop);
  } catch (error) {
    if (!NOT_BY_THIS_NAME.has(errorCode(error))) throw error;
    const present = await tenancy.inShop(shop, ({ shops }) => shops.presentName());
    if (!present || (await storeAccess.check(present)) !== "open") throw error;
    return call(present);
  }
}
