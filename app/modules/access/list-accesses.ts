import { type AccessEntry, PEOPLE } from "../kernel/access-log.ts";
import { nameAndInitial } from "../patients/person-name.ts";
import type { Ports } from "./ports.ts";
import { accountOfViewer } from "./saved-patients.ts";
import type { Tenant } from "./tenant.ts";
import { isOwner, requestsOf, type Viewer, type ViewerScope } from "./viewer.ts";

/** One look at, or change of, what is held about a person, as that person sees it. */
export type ListedAccess = Pick<AccessEntry, "at" | "who" | "what" | "requestId"> & {
  title: string;
};

/** More would be hard to read. */
const MAX_ENTRIES = 500;

/** Who saw, took or changed what this viewer holds, newest first. Staff are named by their shop alone. */
export async function listAccesses(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, viewer }: ViewerScope,
): Promise<ListedAccess[]> {
  return tenancy.inShop(shop, async (tenant) => {
    const held = (await requestsOf(tenant, viewer)).filter((one) => isOwner(one, viewer));
    const titles = new Map(held.map(({ id, title }) => [id, title]));
    const entries = await tenant.accessLog.forRequests([...titles.keys()], MAX_ENTRIES, PEOPLE);
    const ofTests = entries.map(({ at, who, what, requestId }) => {
      const title = titles.get(requestId ?? "") ?? "";
      return { at, who, what, requestId, title };
    });
    const all = [...ofTests, ...(await savedPatientAccesses(tenant, viewer))];
    return all
      .toSorted((one, other) => other.at.getTime() - one.at.getTime())
      .slice(0, MAX_ENTRIES);
  });
}

/** The same of the people whose details a signed-in customer keeps. */
async function savedPatientAccesses(tenant: Tenant, viewer: Viewer): Promise<ListedAccess[]> {
  const account = await accountOfViewer(tenant, viewer);
  if (!account) return [];
  const saved = await tenant.savedPatients.of(account);
  const titles = new Map(
    saved.map(({ id, patient }) => [id, `Saved details of ${nameAndInitial(patient)}`]),
  );
  const entries = await tenant.accessLog.forSavedPatients([...titles.keys()], MAX_ENTRIES);
  return entries.map(({ at, who, what, subjectId }) => {
    const title = titles.get(subjectId ?? "") ?? "";
    return { at, who, what, requestId: null, title };
  });
}
