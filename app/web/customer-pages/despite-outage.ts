import { isDatabaseAway } from "../../platform/database/database-away.ts";
import type { Logger } from "../../platform/logger.ts";
import { messagePage } from "./message-pages.tsx";
import type { Page } from "./page.tsx";
import { hostedPage, NO_SHOP } from "./page-response.tsx";

/**
 * A route of the patients' pages that says so while the database is away or too busy: 503, and to try again. Every other failure
 * goes on its way. `dress` makes a response of the page; a page of our own unless given.
 */
export const despiteOutage =
  <Args extends { context: { app: { ports: { logger: Logger } } } }>(
    answer: (args: Args) => Promise<Response>,
    dress: (page: Page) => Response = (page) => hostedPage(page, { help: NO_SHOP }),
  ) =>
  (args: Args): Promise<Response> =>
    answer(args).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error;
      args.context.app.ports.logger.error({ err: error }, "a page was not shown: no database");
      const response = dress(messagePage("and_here.away", { status: 503 }));
      response.headers.set("Retry-After", "5");
      return response;
    });
