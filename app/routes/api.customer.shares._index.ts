import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { listShares } from "../modules/access/share-result.ts";
import { customerRoute, problem } from "../web/customer-interface/customer-route.ts";
import { presentShare } from "../web/customer-interface/present-share.ts";

/** GET /api/customer/shares: what this customer or patient shares now, newest first. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const { ports } = args.context.app;
    const shares = await listShares(ports, viewerScope);
    return Response.json(shares.map((share) => presentShare(share, { ...viewerScope, ...ports })));
  });

export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Share with POST /results/{id}/shares."));
