import { data, type ServerBuild } from "@remix-run/node";
import { isDatabaseAway } from "../platform/database/database-away.ts";
import type { Logger } from "../platform/logger.ts";

/**
 * The pages, of which each says that Pathway is busy (503) where its reading or its form met a database that is away, or in which
 * somebody holds a lock for long. An error of a page says that something is wrong with Pathway, and sends people to its support.
 */
export function despiteBusyDatabase<Build extends Pick<ServerBuild, "routes">>(
  build: Build,
  { logger }: { logger: Logger },
): Build {
  const guard = <Args, Answer>(answer: ((args: Args) => Answer) | undefined) =>
    answer &&
    (async (args: Args): Promise<Awaited<Answer>> => {
      try {
        return await answer(args);
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        logger.error({ err: error }, "a page could not be answered: the database is away or busy");
        throw data(null, { status: 503 });
      }
    });
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route] as const;
    const { loader, action } = route.module;
    const module = { ...route.module, loader: guard(loader), action: guard(action) };
    return [id, { ...route, module }] as const;
  });
  return { ...build, routes: Object.fromEntries(routes) };
}
