import { viewBundle, viewTest } from "../catalogue/catalogue-view.ts";
import { json } from "../http/answer.ts";
import { invalidParameter } from "../http/api-error.ts";
import { upgradeAdvice } from "../http/api-version.ts";
import { cursorAnswer, readPageRequest } from "../http/cursor.ts";
import type { Route } from "../http/router.ts";
import { apiRoute } from "./api-call.ts";
import type { ApiDependencies } from "./referral-routes.ts";

/** GET /v1/tests and GET /v1/bundles (interface §4.4, §4.5). */
export function catalogueRoutes(dependencies: ApiDependencies): Route[] {
  const { catalogue } = dependencies.core;
  const tests = [...catalogue.tests.values()].map((test) => ({
    isBlood: test.type === "blood",
    view: viewTest(catalogue, test),
  }));
  const bundles = [...catalogue.bundles.values()]
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id))
    .map((bundle, index) => ({ seq: index + 1, view: viewBundle(catalogue, bundle) }));
  return [
    apiRoute(dependencies, "GET", "/v1/tests", ({ version }) =>
      json(tests.filter((test) => test.isBlood || version !== "1.0.0").map((test) => test.view)),
    ),
    apiRoute(dependencies, "GET", "/v1/bundles", ({ version, query }) => {
      if (version === "1.0.0") throw invalidParameter(upgradeAdvice("GET /v1/bundles"));
      const request = readPageRequest(query, "bundles");
      const ascending = request.sort === "asc";
      const start = request.afterSeq ?? (ascending ? 0 : bundles.length + 1);
      const entries = (ascending ? bundles : bundles.toReversed())
        .filter((bundle) => (ascending ? bundle.seq > start : bundle.seq < start))
        .slice(0, request.count);
      const page = { entries, lastSeq: entries.at(-1)?.seq ?? request.afterSeq };
      return json({
        cursor: cursorAnswer("bundles", request, page),
        bundles: entries.map((bundle) => bundle.view),
      });
    }),
  ];
}
