import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { type CheckCodeOutcome, checkCode } from "../modules/access/check-code.ts";
import { type SendCodeOutcome, sendCode } from "../modules/access/send-code.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";

const bodySchema = z.strictObject({ code: z.string().max(100).optional() });

/**
 * POST /api/customer/step-up: {} mails six digits (202); {"code"} shows them (204). 204 at once for a session that showed
 * one, 404 for an account, which needs none. 422 for a wrong code or without one; 429 with `Retry-After` while codes or
 * tries are paused.
 */
export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const { request, context } = args;
    if (request.method !== "POST") return problem(405, "Step up with POST.");
    if (viewerScope.viewer.kind === "customer") return notFound();
    const { ports } = context.app;
    // A body that is no JSON does not fit the schema either.
    const body = bodySchema.safeParse(await request.json().catch(() => null));
    if (!body.success) return problem(422, 'Send {} for a code, or {"code": "…"}.');
    const { code } = body.data;
    const outcome =
      code === undefined
        ? await sendCode(ports, viewerScope)
        : await checkCode(ports, { ...viewerScope, code });
    return answerTo(outcome, ports.clock.now());
  });

function answerTo(outcome: SendCodeOutcome | CheckCodeOutcome, now: Date): Response {
  switch (outcome.kind) {
    case "sent":
    case "unclear":
      return Response.json({ to: outcome.to }, { status: 202 });
    case "accepted":
    case "not_needed":
      return new Response(null, { status: 204 });
    case "wrong":
    case "malformed":
      return problem(422, "wrong_code");
    case "no_code":
      return problem(422, "no_code");
    case "not_mailed":
      return problem(503, "code_not_mailed");
    case "paused": {
      const { until } = outcome;
      const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
      return Response.json(
        { error: "too_many_tries", until: until.toISOString() },
        { status: 429, headers: { "Retry-After": String(seconds) } },
      );
    }
  }
}

export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Step up with POST."));
