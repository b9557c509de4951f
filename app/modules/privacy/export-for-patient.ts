import { type ExportedFile, exportRecord } from "../access/export-everything.ts";
import { savedCopiesOf, takeCopies } from "../access/saved-patients.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import { holdsElse } from "./data-version.ts";
import type { Ports } from "./ports.ts";

export type ExportForPatientOutcome =
  | { kind: "opened"; files: AsyncGenerator<ExportedFile> }
  | { kind: "not_found" }
  /** It may be somebody else's by now than the page showed. */
  | { kind: "changed_meanwhile" }
  | NotAllowed;

/**
 * Takes what is held of one test, as far as its patient may see it, because the patient asked the shop for it. The member
 * of staff stands in the access log, which the owner of the test reads, and in the order's timeline.
 */
export async function exportForPatient(
  { tenancy, clock, documentBodies }: Pick<Ports, "tenancy" | "clock" | "documentBodies">,
  asked: {
    shop: ShopDomain;
    orderId: OrderId;
    requestId: string;
    actor: Actor;
    /** The case number of the merchant's own help desk. */
    caseNumber: string | null;
    /** The `version` that the page showed; null: nobody says. */
    seen?: string | null;
  },
): Promise<ExportForPatientOutcome> {
  const { shop, orderId, requestId, actor, caseNumber, seen = null } = asked;
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (request?.orderId !== orderId) return { kind: "not_found" };
    const now = clock.now();
    const place = { at: now, requestId };
    const refused = await refuseUnlessAllowed(tenant, actor, "export_data", place);
    if (refused) return refused;
    if (await holdsElse(tenant, request, seen)) return { kind: "changed_meanwhile" };
    const detail = { caseNumber };
    const told = { kind: "package_opened", actor, at: now, orderId, requestId, detail } as const;
    await tenant.timeline.add(told);
    const by = { who: "staff", actor, what: "data_export_opened" } as const;
    const { copies, unmatched } = await savedCopiesOf(tenant, request);
    const files = await exportRecord({ tenancy, clock, documentBodies }, tenant, {
      requests: [request],
      saved: {
        savedPatients: await takeCopies(tenant, copies, { who: "staff", actor, at: now }),
        unread: unmatched,
      },
      by,
      now,
    });
    return { kind: "opened", files };
  });
}
