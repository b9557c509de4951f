import { type AccessEntry, PEOPLE } from "../kernel/access-log.ts";
import type { Ports } from "./ports.ts";
import { isOwner, requestsOf, type ViewerScope } from "./viewer.ts";

/** One look at, or change of, what is held about a person, as that person sees it. */
export type ListedAccess = Pick<AccessEntry, "at" | "who" | "what" | "requestId"> & {
  title: string;
};

/** More would be hard to read. */
const MAX_ENTRIES = 500;

/** Who saw, took or changed what this viewer holds, newest first (security.md, S5). Staff are named by their shop alone. */
export async function listAccesses(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, viewer }: ViewerScope,
): Promise<ListedAccess[]> {
  return tenancy.inShop(shop, async (tenant) => {
    const held = (await requestsOf(tenant, viewer)).filter((one) => isOwner(one, viewer));
    const titles = new Map(held.map(({ id, title }) => [id, title]));
    const entries = await tenant.accessLog.forRequests([...titles.keys()], MAX_ENTRIES, PEOPLE);
    return entries.map(({ at, who, what, requestId }) => {
      const title = titles.get(requestId ?? "") ?? "";
      return { at, who, what, requestId, title };
    });
  });
}
