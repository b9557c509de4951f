import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { exportEverything, issueExportTicket } from "../modules/access/export-everything.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";
import { exportResponse } from "../web/customer-interface/export-response.ts";
import { writeToken } from "../web/customer-interface/token.ts";

/** GET /api/customer/export: an archive of all that is held of this customer or patient (sandbox.md, section 5). */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const { ports } = args.context.app;
    return exportResponse(await exportEverything(ports, viewerScope), ports);
  });

/** POST → {"url"}: an address that downloads it once within a minute, for a link, which cannot carry a token. */
export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async ({ shop, viewer }) => {
    const { ports } = args.context.app;
    if (args.request.method !== "POST") return problem(405, "Ask with GET or POST.");
    if (viewer.kind !== "customer") return notFound();
    const { customerId } = viewer;
    const ticket = writeToken(shop, await issueExportTicket(ports, { shop, customerId }));
    return Response.json({ url: `${ports.appUrl}/exports/${ticket}` });
  });
