import { createHash, randomUUID } from "node:crypto";
import { openDocument } from "../../app/modules/access/open-document.ts";
import { savePatientDetails } from "../../app/modules/access/save-patient-details.ts";
import { gid } from "../../app/modules/kernel/ids.ts";
import { correctReferrals } from "../../app/modules/referrals/correct-referrals.ts";
import { startCreated } from "./created.ts";
import type { TestDatabase } from "./database.ts";
import { IN_DATABASE } from "./in-database.ts";
import { PATIENT } from "./seed.ts";

const customerId = gid("Customer", 7);
/** The owner of the test of {@link startIssued}. */
export const OWNER = { kind: "customer", customerId } as const;

/** A test whose forms can be opened. */
export async function startIssued(
  db: TestDatabase,
  options: Parameters<typeof startCreated>[1] = {},
) {
  const created = await startCreated(db, options);
  const { shop, clock, ports, requestId, uuids, target, become } = created;
  await become({ status: "ISSUED" });
  const pdf = Buffer.from("%PDF-1.7 form");
  const sha256 = createHash("sha256").update(pdf).digest("hex");
  const storeForm = (sourceUuid: string) =>
    db.tenancy.inShop(shop, async (tenant) => {
      const id = randomUUID();
      const own = { requestId, customerId, kind: "referral", partial: false } as const;
      const document = { ...own, id, sourceUuid, sha256, bytes: pdf.length };
      await tenant.documents.store(document, pdf, clock.now());
      return id;
    });
  const forms = new Map<string, string>();
  for (const uuid of uuids()) forms.set(uuid, await storeForm(uuid));
  const bodies = { tenancy: db.tenancy, clock, documentBodies: IN_DATABASE };
  return {
    ...created,
    correct: (change: Partial<typeof PATIENT>) =>
      savePatientDetails(ports, {
        shop,
        viewer: OWNER,
        requestId,
        details: { ...PATIENT, ...change, consent: true },
      }),
    pass: () => correctReferrals(ports, target),
    storeForm,
    opens: async (uuid = uuids()[0] ?? "") =>
      (await openDocument(bodies, { shop, viewer: OWNER, documentId: forms.get(uuid) ?? "" })) !==
      null,
  };
}
