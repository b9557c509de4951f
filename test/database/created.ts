import { createReferral } from "../../app/modules/referrals/create-referral.ts";
import { deleteReferrals } from "../../app/modules/referrals/delete-referrals.ts";
import type { OrderedItems } from "../../app/modules/referrals/referral-service.ts";
import { refetchReferral } from "../../app/modules/referrals/referrals/refetch-referral.ts";
import { reorderRequest } from "../../app/modules/referrals/reorder-request.ts";
import { resolveAmbiguous } from "../../app/modules/referrals/resolve-ambiguous.ts";
import type { ShopSettings } from "../../app/modules/shops/shop.ts";
import type { TestDatabase } from "./database.ts";
import { startLedger } from "./ledger.ts";
import { ONE_TEST, PATIENT, readyRequest } from "./seed.ts";
import type { CreateBehaviour } from "./small-service.ts";

export const BOTH_PARTS: OrderedItems = {
  ...ONE_TEST,
  medicareTests: ["fbc"],
  practitioner: { name: "Dr Who", address: "1 St", providerNumber: "2426621B" },
};
export const CARD = { medicareCardNumber: "2123456701", dvaNumber: null };

/** A request that was ordered at the small service, and what can become of it afterwards. */
export async function startCreated(
  db: TestDatabase,
  options: {
    settings?: Partial<ShopSettings>;
    items?: OrderedItems;
    behaviour?: CreateBehaviour;
  } = {},
) {
  const { settings, items = ONE_TEST, behaviour = "create" } = options;
  const ledger = await startLedger(db, settings);
  const { shop, ports, service } = ledger;
  const requestId = await readyRequest(db, shop, { items });
  if (items.medicareTests.length > 0)
    await db.tenancy.inShop(shop, (tenant) =>
      tenant.requests.savePatient(
        requestId,
        { patient: PATIENT, medicare: CARD },
        ports.clock.now(),
      ),
    );
  const target = { shop, requestId };
  service.next(behaviour);
  await createReferral(ports, target);
  await ledger.takeJobs();
  const uuids = () => service.referrals.map(({ uuid }) => String(uuid)).toReversed();
  const refetch = async () => {
    for (const uuid of uuids())
      await refetchReferral(ports, { shop, environment: "staging", uuid });
  };
  return {
    ...ledger,
    requestId,
    target,
    uuids,
    refetch,
    /** Changes every referral at the service, and hears of it. */
    async become(fields: Record<string, unknown>) {
      for (const uuid of uuids()) service.set(uuid, fields);
      await refetch();
    },
    create: (id = requestId) => createReferral(ports, { shop, requestId: id }),
    resolve: (id = requestId) => resolveAmbiguous(ports, { shop, requestId: id }),
    withdraw: (id = requestId) => deleteReferrals(ports, { shop, requestId: id }),
    reorder: (id = requestId) => reorderRequest(ports, { shop, requestId: id, actor: "staff:7" }),
    find: (id = requestId) => db.tenancy.inShop(shop, (tenant) => tenant.requests.find(id)),
    referrals: (id = requestId) =>
      db.tenancy.inShop(shop, (tenant) => tenant.referrals.forRequests([id])),
  };
}
