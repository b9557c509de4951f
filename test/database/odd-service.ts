import { createReferralServiceClient } from "../../app/clients/referral-service/client.ts";
import { sharedConnections } from "../../app/clients/referral-service/http/transport.ts";
import {
  type Behaviour,
  startServer,
} from "../../app/clients/referral-service/testing/start-server.ts";
import { createReferral } from "../../app/modules/referrals/create-referral.ts";
import { refetchReferral } from "../../app/modules/referrals/referrals/refetch-referral.ts";
import { resolveAmbiguous } from "../../app/modules/referrals/resolve-ambiguous.ts";
import { refetchResult } from "../../app/modules/referrals/results/refetch-result.ts";
import { CARD } from "./created.ts";
import type { TestDatabase } from "./database.ts";
import { startLedger } from "./ledger.ts";
import { ONE_TEST, PATIENT, readyRequest } from "./seed.ts";

/** A request that is to be sent, at a service that answers as told, by the real client. */
export async function startOddService(db: TestDatabase, api: Behaviour, items = ONE_TEST) {
  const ledger = await startLedger(db, { releasePolicy: "automatic" });
  const { shop, clock } = ledger;
  const requestId = await readyRequest(db, shop, { items });
  const medicare = items.medicareTests.length > 0 ? CARD : null;
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.requests.savePatient(requestId, { patient: PATIENT, medicare }, clock.now()),
  );
  const server = await startServer(api);
  const client = createReferralServiceClient({
    environment: "staging",
    baseUrl: server.url,
    vendor: "service",
    transport: sharedConnections(),
    clock,
    tokens: { token: async () => "access", renew: async () => "access-2" },
  });
  const ports = { ...ledger.ports, services: { forConnection: async () => client } };
  const target = { shop, requestId };
  return {
    ...ledger,
    ports,
    requestId,
    create: () => createReferral(ports, target),
    resolve: () => resolveAmbiguous(ports, target),
    refetch: (uuid: string) => refetchReferral(ports, { shop, environment: "staging", uuid }),
    refetchResult: (uuid: string) => refetchResult(ports, { shop, environment: "staging", uuid }),
    find: (id = requestId) => db.tenancy.inShop(shop, (tenant) => tenant.requests.find(id)),
    referrals: () => db.tenancy.inShop(shop, (tenant) => tenant.referrals.forRequests([requestId])),
    creates: () => server.requests.filter(({ method }) => method === "POST"),
  };
}
