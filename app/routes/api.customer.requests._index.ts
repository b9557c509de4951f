import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { pageOfCustomerRequests } from "../modules/access/list-requests.ts";
import { customerRoute, problem } from "../web/customer-interface/customer-route.ts";
import { presentCustomerRequest } from "../web/customer-interface/present-request.ts";

/** GET /api/customer/requests: the requests of the signed-in customer. What one answer does not hold, the next page has. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const given = new URL(args.request.url).searchParams.get("after");
    const after = z.uuid().safeParse(given).data ?? null;
    const { ports } = args.context.app;
    const { requests, next } = await pageOfCustomerRequests(ports, { ...viewerScope, after });
    const headers = new Headers(next ? { Link: `<?after=${next}>; rel="next"` } : {});
    return Response.json(requests.map(presentCustomerRequest), { headers });
  });

export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Requests come from orders."));
