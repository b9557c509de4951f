import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { shareResult } from "../modules/access/share-result.ts";
import { readUuid } from "../modules/kernel/ids.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";
import { presentShare } from "../web/customer-interface/present-share.ts";

const bodySchema = z.strictObject({ days: z.number().optional() });

/** POST /api/customer/results/{id}/shares {days?} → {"id","url","passcode","expiresAt","opens":[]} (sandbox.md, section 5). */
export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const { request, params, context } = args;
    const { ports } = context.app;
    if (request.method !== "POST") return problem(405, "Share with POST.");
    const resultId = readUuid(params.id);
    if (!resultId) return notFound();
    // No body asks for the usual days. One that is no JSON does not fit the schema.
    const text = await request.text();
    const body = bodySchema.safeParse(text === "" ? {} : parseJson(text));
    const days = body.success ? body.data.days : Number.NaN;
    const outcome = await shareResult(ports, { ...viewerScope, resultId, days });
    switch (outcome.kind) {
      case "shared":
        return Response.json(presentShare(outcome.share, { ...viewerScope, ...ports }));
      case "not_found":
      case "made_before":
        return notFound();
      case "invalid":
        return problem(422, 'Send {}, or {"days": …} with a whole number from 1 to 90.');
      case "too_many":
        return problem(409, "This result has ten shares already. End one first.");
    }
  });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told as a body that does not fit.
    return null;
  }
}

export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Share with POST, list with GET /shares."));
