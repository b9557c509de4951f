import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { listCustomerRequests } from "../modules/access/list-requests.ts";
import { customerRoute, problem } from "../web/customer-interface/customer-route.ts";
import { presentCustomerRequest } from "../web/customer-interface/present-request.ts";

/** GET /api/customer/requests: all requests of the signed-in customer. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const requests = await listCustomerRequests(args.context.app.ports, viewerScope);
    return Response.json(requests.map(presentCustomerRequest));
  });

export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Requests come from orders."));
