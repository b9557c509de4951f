import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { sayAccess } from "../modules/access/access-words.ts";
import { listAccesses } from "../modules/access/list-accesses.ts";
import { customerRoute, problem } from "../web/customer-interface/customer-route.ts";

/** GET /api/customer/access-log: who saw, took or changed what is this customer's or patient's, newest first. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const entries = await listAccesses(args.context.app.ports, viewerScope);
    return Response.json(entries.map((entry) => ({ ...entry, text: sayAccess(entry) })));
  });

export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async () => problem(405, "The access log can only be read."));
