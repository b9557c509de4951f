import type { AppLoadContext } from "@remix-run/node";
import type { ViewerScope } from "../../modules/access/viewer.ts";
import { isOfOtherStore } from "../../modules/shops/store-doubt.ts";

/**
 * Whether a call would change something for an account of another store, which has the name now: its shoppers are not those whose
 * rows these are. Such a call is counted. A mailed link is of the store that the rows are of, and looking shows an account its own alone.
 */
export async function isOthersWrite(
  { ports, refusals }: Pick<AppLoadContext["app"], "ports" | "refusals">,
  { method }: Pick<Request, "method">,
  { shop, viewer }: ViewerScope,
  place: "proxy" | "customer_token",
): Promise<boolean> {
  if (viewer.kind !== "customer" || method === "GET" || method === "HEAD") return false;
  const isOthers = await ports.tenancy.inShop(shop, isOfOtherStore);
  if (isOthers) refusals.note(place, shop);
  return isOthers;
}
