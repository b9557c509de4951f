import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { endShare } from "../modules/access/share-result.ts";
import { readUuid } from "../modules/kernel/ids.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";

/** DELETE /api/customer/shares/{id} → 204: its address answers 404 from then on. */
export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    if (args.request.method !== "DELETE") return problem(405, "End a share with DELETE.");
    const shareId = readUuid(args.params.id);
    const ended = shareId && (await endShare(args.context.app.ports, { ...viewerScope, shareId }));
    return ended ? new Response(null, { status: 204 }) : notFound();
  });

export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async () => problem(405, "End a share with DELETE."));
