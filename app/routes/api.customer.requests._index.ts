import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { listCustomerRequests, pageOfCustomerRequests } from "../modules/access/list-requests.ts";
import { readUuid } from "../modules/kernel/ids.ts";
import { customerRoute, problem } from "../web/customer-interface/customer-route.ts";
import { presentCustomerRequest } from "../web/customer-interface/present-request.ts";

/**
 * GET /api/customer/requests: all requests of the signed-in customer. With `?paged` those that one answer holds; what it
 * does not, the next page has.
 */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const { ports } = args.context.app;
    const { searchParams } = new URL(args.request.url);
    if (!searchParams.has("paged")) {
      const all = await listCustomerRequests(ports, viewerScope);
      return Response.json(all.map(presentCustomerRequest));
    }
    const after = readUuid(searchParams.get("after")) ?? null;
    const { requests, next } = await pageOfCustomerRequests(ports, { ...viewerScope, after });
    const headers = new Headers(next ? { Link: `<?paged&after=${next}>; rel="next"` } : {});
    return Response.json(requests.map(presentCustomerRequest), { headers });
  });

export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Requests come from orders."));
