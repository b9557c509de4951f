import { errorCode } from "../../platform/error-code.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";
import type { StoreAnswer } from "./store-access.ts";

/** So long after Shopify told it, no store has the name still. */
const UNKNOWN_MS = 15 * 60_000;

/**
 * Asks the store whether it lets the app in, because Shopify told at `toldAt` that it has left. A store that was closed for good is
 * known to Shopify by no name: it will never answer, and patients who wait would not be told. A store that has another name may have been
 * renamed, which says nothing of its leaving. Rejects with StoreError.
 */
export async function askWhetherLeft(
  { tenancy, storeAccess, clock }: Pick<Ports, "tenancy" | "storeAccess" | "clock">,
  shop: ShopDomain,
  toldAt: Date,
): Promise<StoreAnswer> {
  try {
    return await storeAccess.check(shop);
  } catch (error) {
    const isUnknown = errorCode(error) === "store_not_found";
    if (!isUnknown || clock.now().getTime() - toldAt.getTime() < UNKNOWN_MS) throw error;
    if (await tenancy.inShop(shop, ({ shops }) => shops.hasOtherName())) throw error;
    return "refused";
  }
}
