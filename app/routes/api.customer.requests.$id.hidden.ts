import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { readUuid } from "../modules/kernel/ids.ts";
import { hideOwnResults } from "../modules/privacy/hide-own-results.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";

/** PUT /api/customer/requests/{id}/hidden → 204: consent is withdrawn, and nobody opens the results. DELETE shows them again. */
export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const { method } = args.request;
    if (method !== "PUT" && method !== "DELETE")
      return problem(405, "Hide results with PUT, and show them again with DELETE.");
    const requestId = readUuid(args.params.id);
    if (!requestId) return notFound();
    const wish = { ...viewerScope, requestId, hide: method === "PUT" };
    const isDone = await hideOwnResults(args.context.app.ports, wish);
    return isDone ? new Response(null, { status: 204 }) : notFound();
  });

export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async () =>
    problem(405, "Hide results with PUT, and show them again with DELETE."),
  );
