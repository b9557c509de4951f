import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { readUuid } from "../modules/kernel/ids.ts";
import { ERASURE_EFFECTS } from "../modules/privacy/data-version.ts";
import { eraseOwnData, previewErasure } from "../modules/privacy/erase-own-data.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";

/**
 * GET /api/customer/requests/{id}/erasure → {"effect"}: what deleting the data of this test would do. A client that asks with ?unseen knows the
 * effect of results that nobody was shown; it is told as that of results to all others.
 */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const requestId = readUuid(args.params.id);
    const { ports } = args.context.app;
    const found = requestId && (await previewErasure(ports, { ...viewerScope, requestId }));
    if (!found) return notFound();
    const isAsked = new URL(args.request.url).searchParams.has("unseen");
    const { effect } = found;
    return Response.json({
      effect: effect === "unseen_results" && !isAsked ? "has_results" : effect,
    });
  });

const bodySchema = z.object({ effect: z.enum(ERASURE_EFFECTS) });

/**
 * POST: consent is withdrawn and what is held of the test is deleted → {"state"}: "waiting" while it is just being sent. With the effect
 * that was shown as the body, 409 where it is another by now: nothing is deleted then.
 */
export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    if (args.request.method !== "POST") return problem(405, "Have data deleted with POST.");
    const requestId = readUuid(args.params.id);
    if (!requestId) return notFound();
    // Without a body nobody says what was shown.
    const body = bodySchema.safeParse(await args.request.json().catch(() => null));
    const wish = { ...viewerScope, requestId, seen: body.data?.effect ?? null };
    const { kind } = await eraseOwnData(args.context.app.ports, wish);
    if (kind === "not_found") return notFound();
    if (kind === "changed_meanwhile")
      return problem(409, "Nothing was deleted: the test has changed. Ask again what is deleted.");
    return Response.json({ state: kind });
  });
