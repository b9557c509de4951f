import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { customerRoute, problem } from "../customer-interface/customer-route.ts";
import { listCustomerRequests } from "../domain/account/list-requests.ts";

/** GET /api/customer/requests: all requests of the signed-in customer. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (visitor) =>
    Response.json(await listCustomerRequests(args.context.app.ports, visitor)),
  );

export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Requests come from orders."));
