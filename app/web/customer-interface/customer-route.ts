import type { AppLoadContext } from "@remix-run/node";
import { LinkRefused } from "../../modules/access/link-access.ts";
import { recogniseToken } from "../../modules/access/open-link.ts";
import type { ViewerScope } from "../../modules/access/viewer.ts";
import { isDatabaseAway } from "../../platform/database/database-away.ts";
import { isDocumentStoreFailed } from "../../platform/errors.ts";
import { CORS } from "./cors.ts";
import { isOthersWrite } from "./of-another-store.ts";
import { readToken, withoutSecrets } from "./token.ts";

/**
 * Answers one call of the customer interface (docs/sandbox.md): recognises the buyer or patient by the
 * session token of their account or the token of a mailed link, runs `work`, and adds the headers that each
 * answer carries. 401 without a valid token, 403 for what the token's link does not open, and 503 for a change while another store has the name.
 */
export async function customerRoute(
  { request, context }: { request: Request; context: AppLoadContext },
  work: (viewerScope: ViewerScope) => Promise<Response>,
): Promise<Response> {
  const authorization = request.headers.get("authorization");
  const answer = async (): Promise<Response> => {
    const viewerScope = await recognise(context.app, authorization);
    if (viewerScope && (await isOthersWrite(context.app, request, viewerScope, "customer_token")))
      return problem(503, OF_ANOTHER_STORE);
    if (viewerScope) return work(viewerScope);
    noteRefusal(context.app, authorization);
    return problem(401, "Sign in to your account first.");
  };
  return withCors(
    await answer().catch((error: unknown) => answerFailure(context.app, request, error)),
  );
}

/**
 * Answers a viewer whose link does not open this: show the mailed code, or ask for another link. A document may be away, and so
 * may the database: whoever asks again later gets what they asked for. Any other failure is a fault of ours. Remix would answer it
 * without the headers by which the account may read that, and a patient would be told to look for a fault in their connection.
 */
function answerFailure(app: AppLoadContext["app"], request: Request, error: unknown): Response {
  if (isDatabaseAway(error)) {
    app.ports.logger.error({ err: error }, "a customer could not be answered: no database");
    const away = problem(503, "Pathway can’t answer just now. Please try again in a minute.");
    away.headers.set("Retry-After", "5");
    return away;
  }
  if (isDocumentStoreFailed(error))
    return problem(
      503,
      "This document can’t be opened just now. Please try again in a few minutes.",
    );
  if (!(error instanceof LinkRefused)) {
    const pathname = withoutSecrets(new URL(request.url).pathname);
    if (!request.signal.aborted) app.ports.logger.error({ err: error, pathname }, "request failed");
    return problem(500, "Something went wrong on our side. Please try again in a few minutes.");
  }
  const methods = error.code === "step_up_required" ? { methods: ["email_code"] } : {};
  return Response.json({ error: error.code, ...methods }, { status: 403 });
}

const OF_ANOTHER_STORE =
  "Nothing was saved or changed: another store uses this shop’s address at the moment. Please contact the shop.";

async function recognise(
  app: AppLoadContext["app"],
  authorization: string | null,
): Promise<ViewerScope | null> {
  const link = readToken(/^Bearer (\S+)$/.exec(authorization ?? "")?.[1]);
  if (link) {
    const viewer = await recogniseToken(app.ports, link);
    return viewer && { shop: link.shop, viewer };
  }
  const customer = await app.customerAuth(authorization);
  return (
    customer && {
      shop: customer.shop,
      viewer: { kind: "customer", customerId: customer.customerId },
    }
  );
}

/** A call that showed something which lets nobody in is counted; one that showed nothing only has to sign in. */
function noteRefusal({ refusals }: AppLoadContext["app"], authorization: string | null): void {
  if (!authorization) return;
  const link = readToken(/^Bearer (\S+)$/.exec(authorization)?.[1]);
  if (link) refusals.note("link", link.shop);
  else refusals.note("customer_token");
}

/** An answer that says in words what is wrong. */
export function problem(status: number, error: string): Response {
  return Response.json({ error }, { status });
}

export const notFound = () => problem(404, "There is nothing here for this account.");

function withCors(response: Response): Response {
  for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value);
  return response;
}
