import { addressesFor } from "../attachments/addresses-for.ts";
import type { Core } from "../core.ts";
import { json } from "../http/answer.ts";
import { ApiError, invalidParameter } from "../http/api-error.ts";
import { cursorAnswer, readPageRequest } from "../http/cursor.ts";
import type { Route } from "../http/router.ts";
import { deleteReferral } from "../referrals/delete-referral.ts";
import type { FormQueue } from "../referrals/form-queue.ts";
import { patchReferral } from "../referrals/patch-referral.ts";
import type { Referral } from "../referrals/referral.ts";
import { listedPerson, viewReferral } from "../referrals/referral-view.ts";
import { arriveResults } from "../results/arrive.ts";
import { type ApiCall, apiRoute } from "./api-call.ts";
import { handleCreate } from "./create-route.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** The needs of the API's routes besides the core. */
export interface ApiDependencies {
  core: Core;
  rateLimiter: RateLimiter;
  formQueue: FormQueue;
}

function notFound(): ApiError {
  return new ApiError(404, "REFERRAL_NOT_FOUND", "Referral not found");
}

function requireReferral(core: Core, call: ApiCall): Referral {
  const uuid = (call.params.uuid ?? "").toLowerCase();
  const referral = core.stores.referrals.find(call.organisation.id, uuid);
  if (!referral) throw notFound();
  return referral;
}

/** The fault `foreignReferral`: what another integrator of the organisation may have ordered, in a shape of its own. */
const ofSomebodyElse = <T extends object>(listed: T) => ({
  ...listed,
  uuid: "f0e1d2c3-b4a5-4968-8776-655443322110",
  reference: "99999999",
  referenceNumber: "FOREIGN-1",
  metadata: null,
  medicare: true,
  orderingPractitioner: {
    name: "Dr Somebody Else",
    address: { addressLine1: "1 High Street", city: "Perth", state: "WA", postCode: "6000" },
    providerNumber: "2426621B",
  },
});

/** The referral endpoints of interface §4.2. */
export function referralRoutes(dependencies: ApiDependencies): Route[] {
  const { core, formQueue } = dependencies;
  const one = "/v1/referrals/{uuid}";
  const list = "/v1/referrals";
  const seen = (referral: Referral) =>
    viewReferral(referral, addressesFor(core, referral.organisationId));
  const view = (referral: Referral) => json(seen(referral));
  return [
    apiRoute(dependencies, "POST", list, (call) => handleCreate({ core, formQueue, call })),
    apiRoute(dependencies, "GET", list, (call) => {
      const request = readPageRequest(call.query, "referrals");
      const { staleListMs, foreignReferral } = core.faults.of(call.organisation.id).settings;
      const page = core.stores.referrals.page(
        call.organisation.id,
        staleListMs > 0
          ? { ...request, createdBeforeMs: core.clock.nowMs() - staleListMs }
          : request,
      );
      const referrals = page.entries.map((referral) => ({
        ...seen(referral),
        person: listedPerson(referral.document.person),
      }));
      const foreign = foreignReferral ? referrals.slice(0, 1).map(ofSomebodyElse) : [];
      return json({
        cursor: cursorAnswer("referrals", request, page),
        referrals: [...foreign, ...referrals],
      });
    }),
    apiRoute(dependencies, "GET", one, (call) => view(requireReferral(core, call))),
    apiRoute(dependencies, "PATCH", one, (call) => {
      const patched = patchReferral(core, requireReferral(core, call), call.body);
      formQueue.add(patched.uuid);
      return view(patched);
    }),
    apiRoute(dependencies, "DELETE", one, (call) => {
      const referral = requireReferral(core, call);
      const { deleteRefused, resultsAtDelete } = core.faults.of(call.organisation.id).settings;
      if (deleteRefused)
        throw invalidParameter("This referral cannot be deleted (fault deleteRefused)");
      const reported = resultsAtDelete
        ? arriveResults(core, referral, { partial: false }).referral
        : referral;
      return view(deleteReferral(core, reported));
    }),
    apiRoute(dependencies, "PUT", one, (call) => {
      if (core.options.environment === "production") throw notFound();
      const partial = call.query.has("partial");
      return view(arriveResults(core, requireReferral(core, call), { partial }).referral);
    }),
  ];
}
