import { accountOfViewer } from "../access/saved-patients.ts";
import type { ViewerScope } from "../access/viewer.ts";
import type { Ports } from "./ports.ts";
import { repackExports } from "./privacy/repack-exports.ts";

/**
 * Destroys the details of somebody whom this customer keeps, copies in data exports included, also where a damaged key
 * hides who it is. Tests that were given the same details keep them. Returns false for an unknown one and for another customer's.
 */
export async function deleteSavedPatient(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, viewer, id }: ViewerScope & { id: string },
): Promise<boolean> {
  return tenancy.inShop(shop, async (tenant) => {
    const account = await accountOfViewer(tenant, viewer);
    if (!account) return false;
    await tenant.savedPatients.lock(account);
    if (!(await tenant.savedPatients.idsOf(account)).includes(id)) return false;
    await repackExports(tenant, { requestIds: [], orderIds: [], customerIds: [account] });
    await tenant.savedPatients.remove(account, id);
    const at = clock.now();
    const deed = { at, who: "customer", what: "saved_patient_deleted" } as const;
    await tenant.accessLog.add({ ...deed, subjectId: id });
    return true;
  });
}
