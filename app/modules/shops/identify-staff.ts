import { tolerate } from "../../platform/tolerate.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";

/** Names and owners change seldom: Shopify is asked once a day for each member of staff. */
const ASK_EVERY_MS = 24 * 3_600_000;
/** When Shopify does not answer, it is asked again after so long. */
const ASK_AGAIN_MS = 60_000;

/** Asks Shopify whose session token this is; null when Shopify knows nobody of that id. */
export type AskWhoItIs = () => Promise<{
  id: string;
  name: string;
  isAccountOwner: boolean;
} | null>;

/** When each member of staff is to be looked up again, by shop and id, in this process. */
export type StaffLookups = Map<string, number>;

const MAX_REMEMBERED = 10_000;

/**
 * Notes who a member of staff is, when that was not done today: their name, and whether the account is theirs. One whom
 * Shopify does not tell about stays unknown, which is support; signing in never fails because of it.
 */
export async function identifyStaff(
  { tenancy, clock, logger }: Pick<Ports, "tenancy" | "clock" | "logger">,
  { shop, staff, ask }: { shop: ShopDomain; staff: string; ask: AskWhoItIs },
  lookups: StaffLookups,
): Promise<void> {
  const now = clock.now();
  const key = `${shop} ${staff}`;
  if ((lookups.get(key) ?? 0) > now.getTime()) return;
  const known = await tenancy.inShop(shop, (tenant) => tenant.staff.find(staff));
  const dueAt = (known?.identifiedAt.getTime() ?? 0) + ASK_EVERY_MS;
  if (lookups.size >= MAX_REMEMBERED) lookups.clear();
  if (known && dueAt > now.getTime()) {
    lookups.set(key, dueAt);
    return;
  }
  const told = await ask().catch(tolerate(logger, "staff.identify"));
  lookups.set(key, now.getTime() + (told ? ASK_EVERY_MS : ASK_AGAIN_MS));
  if (!told || `staff:${told.id}` !== staff) return;
  const { name, isAccountOwner } = told;
  await tenancy.inShop(shop, (tenant) =>
    tenant.staff.identify({ staff, name, isAccountOwner }, now),
  );
}
