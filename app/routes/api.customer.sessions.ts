import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { endVisits } from "../modules/access/end-visits.ts";
import { customerRoute, problem } from "../web/customer-interface/customer-route.ts";

/** DELETE /api/customer/sessions: ends every visit that a mailed link of this customer's or patient's let in → {"ended"}. */
export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    if (args.request.method !== "DELETE") return problem(405, "End visits with DELETE.");
    return Response.json({ ended: await endVisits(args.context.app.ports, viewerScope) });
  });

export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async () => problem(405, "End visits with DELETE."));
