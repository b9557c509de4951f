import { unknownStaff } from "../../platform/counters.ts";
import { tolerate } from "../../platform/tolerate.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";
import { isOfOtherStore } from "./store-doubt.ts";

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

/** Somebody whom Shopify has never told about has to wait: each page of theirs asks again after so long. */
export const ASK_UNKNOWN_AGAIN_MS = 10_000;

/**
 * Whether a member of staff is of the store whose rows these are, or of another that has its domain now; `unknown` until Shopify
 * has told once who they are.
 */
type StaffOf = "ours" | "of_other_store" | "unknown";

/** Holds what was found of each member of staff, by shop and id, in this process, and until when it stands. */
export type StaffLookups = Map<string, { staffOf: StaffOf; untilMs: number }>;

const MAX_REMEMBERED = 10_000;

/**
 * Notes who a member of staff is, when that was not done today: their name, and whether the account is theirs. One whom
 * Shopify has never told about stays unknown, and is shown nothing (docs/decisions/0171). The token is of the store that
 * has the domain now: it tells another store at its staff's first visit, and the first one when it has its name back. Meanwhile
 * Shopify is asked each minute.
 */
export async function identifyStaff(
  { tenancy, clock, logger }: Pick<Ports, "tenancy" | "clock" | "logger">,
  { shop, staff, ask }: { shop: ShopDomain; staff: string; ask: AskWhoItIs },
  lookups: StaffLookups,
): Promise<StaffOf> {
  const now = clock.now();
  const isDoubted = await tenancy.inShop(shop, (tenant) => isOfOtherStore(tenant));
  const key = isDoubted ? `${shop} ${staff} in doubt` : `${shop} ${staff}`;
  const remembered = lookups.get(key);
  if (remembered && remembered.untilMs > now.getTime()) return remembered.staffOf;
  const remember = (staffOf: StaffOf, forMs: number) => {
    if (lookups.size >= MAX_REMEMBERED) lookups.clear();
    lookups.set(key, { staffOf, untilMs: now.getTime() + forMs });
    return staffOf;
  };
  const known = await tenancy.inShop(shop, (tenant) => tenant.staff.find(staff));
  const leftMs = known ? known.identifiedAt.getTime() + ASK_EVERY_MS - now.getTime() : 0;
  if (leftMs > 0 && !isDoubted) return remember("ours", leftMs);
  const stayUnknown = (code: "no_answer" | "no_store" | "other_person") => {
    unknownStaff.add({ code });
    logger.warn({ shop, code }, "Shopify does not tell who a member of staff is");
    return remember("unknown", ASK_UNKNOWN_AGAIN_MS);
  };
  const told = await ask().catch(tolerate(logger, "staff.identify"));
  if (!told) {
    if (isDoubted) return remember("of_other_store", ASK_AGAIN_MS);
    return known ? remember("ours", ASK_AGAIN_MS) : stayUnknown("no_answer");
  }
  const staffOf = await tenancy.inShop(shop, async (tenant): Promise<StaffOf> => {
    const { id, name, isAccountOwner, storeId } = told;
    if (storeId) await tenant.shops.identify(storeId);
    const stored = await tenant.shops.find();
    // Another store's people get no role among the former one's.
    if (stored?.otherStoreId) return "of_other_store";
    // They may be of another store than the one whose rows these are.
    const isOfAnyStore = !storeId && Boolean(stored?.storeId);
    if (`staff:${id}` !== staff || isOfAnyStore) return known ? "ours" : "unknown";
    await tenant.staff.identify({ staff, name, isAccountOwner }, now);
    return "ours";
  });
  if (staffOf === "unknown")
    return stayUnknown(`staff:${told.id}` === staff ? "no_store" : "other_person");
  const isSettled = staffOf === "ours" && !isDoubted && told.storeId !== undefined;
  return remember(staffOf, isSettled ? ASK_EVERY_MS : ASK_AGAIN_MS);
}
