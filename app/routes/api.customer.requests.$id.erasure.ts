import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { readUuid } from "../modules/kernel/ids.ts";
import { eraseOwnData, previewErasure } from "../modules/privacy/erase-own-data.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";

/** GET /api/customer/requests/{id}/erasure → {"effect"}: what deleting the data of this test would do. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const requestId = readUuid(args.params.id);
    const { ports } = args.context.app;
    const found = requestId && (await previewErasure(ports, { ...viewerScope, requestId }));
    return found ? Response.json({ effect: found.effect }) : notFound();
  });

/** POST: consent is withdrawn and what is held of the test is deleted → {"state"}: "waiting" while it is just being sent. */
export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    if (args.request.method !== "POST") return problem(405, "Have data deleted with POST.");
    const requestId = readUuid(args.params.id);
    if (!requestId) return notFound();
    const { kind } = await eraseOwnData(args.context.app.ports, { ...viewerScope, requestId });
    return kind === "not_found" ? notFound() : Response.json({ state: kind });
  });
