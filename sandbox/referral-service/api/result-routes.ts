import { addressesFor } from "../attachments/addresses-for.ts";
import { json } from "../http/answer.ts";
import { ApiError } from "../http/api-error.ts";
import { cursorAnswer, readPageRequest } from "../http/cursor.ts";
import type { Route } from "../http/router.ts";
import { isoTime, listedPerson } from "../referrals/referral-view.ts";
import type { Result } from "../results/result-store.ts";
import { type ResultView, viewResult } from "../results/result-view.ts";
import { apiRoute } from "./api-call.ts";
import type { ApiDependencies } from "./referral-routes.ts";

/** Whom the fault `wrongPerson` puts into a result. */
const SOMEBODY_ELSE = { firstName: "Somebody", lastName: "Else", dob: "1950-01-01" };

/** The result endpoints of interface §4.3; the list's array key is our reading. */
export function resultRoutes(dependencies: ApiDependencies): Route[] {
  const { core } = dependencies;
  const view = (result: Result): ResultView => {
    const referral = core.stores.referrals.findAnywhere(result.referralUuid);
    if (!referral) throw new Error("a result without its referral");
    const seen = viewResult(result, referral, addressesFor(core, result.organisationId));
    const { reportLateMs, resultsDeleted } = core.faults.of(result.organisationId).settings;
    if (resultsDeleted) {
      const deletedAt = isoTime(core.clock.nowMs());
      return { ...seen, deletedAt, updatedAt: deletedAt, resultAttachment: null };
    }
    const isLate = core.clock.nowMs() < result.updatedAtMs + reportLateMs;
    return isLate ? { ...seen, resultAttachment: null } : seen;
  };
  return [
    apiRoute(dependencies, "GET", "/v1/results", (call) => {
      const request = readPageRequest(call.query, "results");
      const page = core.stores.results.page(call.organisation.id, request);
      const results = page.entries.map(view);
      return json({
        cursor: cursorAnswer("results", request, page),
        results: results.map((entry) => ({ ...entry, person: listedPerson(entry.person) })),
      });
    }),
    apiRoute(dependencies, "GET", "/v1/results/{uuid}", (call) => {
      const uuid = (call.params.uuid ?? "").toLowerCase();
      const result = core.stores.results.find(call.organisation.id, uuid);
      if (!result) throw new ApiError(404, "RESULT_NOT_FOUND", "Result not found");
      const { wrongPerson } = core.faults.of(call.organisation.id).settings;
      const seen = view(result);
      return json(wrongPerson ? { ...seen, person: { ...seen.person, ...SOMEBODY_ELSE } } : seen);
    }),
  ];
}
