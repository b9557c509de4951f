import type { LoaderFunctionArgs } from "@remix-run/node";
import { type CustomerHelp, customerHelp } from "../../modules/shops/customer-help.ts";
import type { Ports } from "../../modules/shops/ports.ts";
import { isDatabaseAway } from "../../platform/database/database-away.ts";
import type { Logger } from "../../platform/logger.ts";
import { readLinkAddress, readToken, withoutSecrets } from "../customer-interface/token.ts";
import { messagePage } from "./message-pages.tsx";
import type { Page } from "./page.tsx";
import { hostedPage, NO_SHOP } from "./page-response.tsx";

type Args = Pick<LoaderFunctionArgs, "request" | "params"> & {
  context: { app: { ports: Pick<Ports, "tenancy"> & { logger: Logger } } };
};

/**
 * A route of the patients' pages that says so while the database is away or too busy: 503, and to try again. Every other failure
 * is a fault of ours: 500, and whom to ask. Remix would answer it with three words and nobody's name. `dress` makes a response
 * of the page; a page of our own unless given.
 */
export const despiteOutage =
  <Given extends Args>(
    answer: (args: Given) => Promise<Response>,
    dress: (page: Page, help: CustomerHelp) => Response = (page, help) =>
      hostedPage(page, { help }),
  ) =>
  (args: Given): Promise<Response> =>
    answer(args).catch(async (error: unknown) => {
      const { logger } = args.context.app.ports;
      if (!isDatabaseAway(error)) {
        const pathname = withoutSecrets(new URL(args.request.url).pathname);
        if (!args.request.signal.aborted) logger.error({ err: error, pathname }, "request failed");
        return dress(messagePage("and_here.failed", { status: 500 }), await helpFor(args));
      }
      logger.error({ err: error }, "a page was not shown: no database");
      const response = dress(messagePage("and_here.away", { status: 503 }), NO_SHOP);
      response.headers.set("Retry-After", "5");
      return response;
    });

/** Whom to ask about the page of this address. */
async function helpFor({ params, context }: Args): Promise<CustomerHelp> {
  const named = readToken(params.token ?? params.ticket) ?? readLinkAddress(params.address);
  // The first failure is noted. Where this fails as well, the page names nobody.
  const help = named && (await customerHelp(context.app.ports, named.shop).catch(() => null));
  return help ?? NO_SHOP;
}
