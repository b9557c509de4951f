import type { AppLoadContext } from "@remix-run/node";
import type { SignedInCustomer } from "../shopify/customer-auth.ts";

/** UI extensions run on origins of Shopify's own that differ from page to page; the bearer token is the key. */
const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, PUT, POST, OPTIONS",
  "Access-Control-Allow-Headers": "Authorization, Content-Type",
  "Access-Control-Max-Age": "7200",
  "Cache-Control": "private, no-store",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Answers one call of the customer interface (README, "For developers"): signs the shopper in by the
 * session token, runs `work`, and adds the headers that each answer carries. 401 without a valid token.
 */
export async function customerRoute(
  { request, context }: { request: Request; context: AppLoadContext },
  work: (customer: SignedInCustomer) => Promise<Response>,
): Promise<Response> {
  if (request.method === "OPTIONS") return withCors(new Response(null, { status: 204 }));
  const customer = await context.app.customerAuth(request.headers.get("authorization"));
  return withCors(customer ? await work(customer) : problem(401, "Sign in to your account first."));
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
