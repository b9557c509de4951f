import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Environment } from "../../shops/connection.ts";
import type { OverdueResults, PublishedMaximum } from "../home-figures.ts";
import type { Tenant } from "../tenant.ts";

/** Those that became overdue last are listed; the others are counted. */
const LISTED = 5;
const NONE: OverdueResults = { count: 0, latest: [] };

/**
 * Referrals whose form was issued longer ago than the catalogue's published maximum turnaround of their slowest test,
 * and for which nothing has come: a lost sample, or a patient who has not gone yet. Staging's count only where orders go there.
 */
export async function readOverdue(
  tenant: Tenant,
  { environment, now }: { environment: Environment; now: Date },
): Promise<OverdueResults> {
  const environments = new Set<Environment>(["production", environment]);
  const published: PublishedMaximum[] = [];
  for (const one of environments) published.push(...publishedBy(await tenant.catalogues.find(one)));
  // Nothing is published, so nothing can be overdue.
  if (published.every(({ days }) => days === null)) return NONE;
  return tenant.overview.overdueResults({ published, now, limit: LISTED });
}

function publishedBy(catalogue: Catalogue | null): PublishedMaximum[] {
  if (!catalogue) return [];
  const { environment } = catalogue;
  const days = new Map(
    catalogue.tests.map(({ id, turnaround }) => [id, turnaround?.maximumDays ?? null]),
  );
  const tests = [...days].map(([id, maximum]) => ({ kind: "test" as const, id, days: maximum }));
  const bundles = catalogue.bundles.flatMap(({ id, tests: own }) =>
    own
      .filter((test) => days.has(test.id))
      .map((test) => ({ kind: "bundle" as const, id, days: days.get(test.id) ?? null })),
  );
  return [...tests, ...bundles].map((one) => ({ environment, ...one }));
}
