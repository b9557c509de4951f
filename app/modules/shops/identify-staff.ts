import { tolerate } from "../../platform/tolerate.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

/** Names and owners change seldom: Shopify is asked once a day for each member of staff. */
const ASK_EVERY_MS = 24 * 3_600_000;
/** When Shopify does not answer, it is asked again after so long. */
const ASK_AGAIN_MS = 60_000;

/** Asks Shopify whose session token this is; null when Shopify knows nobody of that id. */
export type AskWhoItIs = () => Promise<{
  id: string;
  name: string;
  isAccountOwner: boolean;
  /** Shopify's id of the store whose staff they are; left out where it was not told. */
  storeId?: string | undefined;
} | null>;

/** Whether a member of staff is of the store whose rows these are, or of another that has its domain now. */
type StaffOf = "ours" | "of_other_store";

/** When each member of staff is to be looked up again, by shop and id, in this process. */
export type StaffLookups = Map<string, number>;

const MAX_REMEMBERED = 10_000;

/**
 * Notes who a member of staff is, when that was not done today: their name, and whether the account is theirs. One whom
 * Shopify does not tell about stays unknown, which is support; signing in never fails because of it. The token is of the store that
 * has the domain now: it tells another store at its staff's first visit, and the first one when it has its name back. Meanwhile
 * Shopify is asked each minute.
 */
export async function identifyStaff(
  { tenancy, clock, logger }: Pick<Ports, "tenancy" | "clock" | "logger">,
  { shop, staff, ask }: { shop: ShopDomain; staff: string; ask: AskWhoItIs },
  lookups: StaffLookups,
): Promise<StaffOf> {
  const now = clock.now();
  const isDoubted = await tenancy.inShop(shop, isOfOtherStore);
  const key = isDoubted ? `${shop} ${staff} in doubt` : `${shop} ${staff}`;
  const stands = isDoubted ? "of_other_store" : "ours";
  if ((lookups.get(key) ?? 0) > now.getTime()) return stands;
  const known = await tenancy.inShop(shop, (tenant) => tenant.staff.find(staff));
  const dueAt = (known?.identifiedAt.getTime() ?? 0) + ASK_EVERY_MS;
  if (lookups.size >= MAX_REMEMBERED) lookups.clear();
  if (known && dueAt > now.getTime() && !isDoubted) {
    lookups.set(key, dueAt);
    return stands;
  }
  const told = await ask().catch(tolerate(logger, "staff.identify"));
  lookups.set(key, now.getTime() + (told && !isDoubted ? ASK_EVERY_MS : ASK_AGAIN_MS));
  if (!told) return stands;
  return tenancy.inShop(shop, async (tenant) => {
    const { id, name, isAccountOwner, storeId } = told;
    if (storeId) await tenant.shops.identify(storeId);
    // Another store's people get no role among the former one's.
    if (await isOfOtherStore(tenant)) return "of_other_store";
    if (`staff:${id}` === staff) await tenant.staff.identify({ staff, name, isAccountOwner }, now);
    return "ours";
  });
}

const isOfOtherStore = async ({ shops }: Tenant): Promise<boolean> =>
  Boolean((await shops.find())?.otherStoreId);
