import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { invitePatient, revokeInvitation } from "../modules/access/invite-patient.ts";
import { type CustomerRequest, findCustomerRequest } from "../modules/access/list-requests.ts";
import { readUuid } from "../modules/kernel/ids.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";
import { presentCustomerRequest } from "../web/customer-interface/present-request.ts";

const bodySchema = z.object({ email: z.unknown() });

/**
 * POST /api/customer/requests/{id}/handover {email}: the unit goes to its patient, who gets a link → the
 * request as the buyer sees it. DELETE: the unit comes back, as long as the link was not opened.
 */
export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const { request, params, context } = args;
    const { ports } = context.app;
    const requestId = readUuid(params.id);
    if (!requestId) return notFound();
    const target = { ...viewerScope, requestId };
    if (request.method !== "POST" && request.method !== "DELETE")
      return problem(405, "Hand over with POST, take back with DELETE.");
    // A body that is no JSON has no address, and is refused as such.
    const body = bodySchema.safeParse(await request.json().catch(() => null));
    const outcome =
      request.method === "POST"
        ? await invitePatient(ports, { ...target, email: body.data?.email })
        : await revokeInvitation(ports, target);
    switch (outcome.kind) {
      case "handed_over":
      case "taken_back":
        return answerWith(await findCustomerRequest(ports, target));
      case "invalid":
        return Response.json({ errors: outcome.errors }, { status: 422 });
      case "not_found":
        return notFound();
      case "too_late":
        return problem(
          409,
          "It is too late for that: the patient has come, or it has been ordered, wholly or in part.",
        );
      case "too_often":
        return problem(429, "This unit was sent too often today. Try again tomorrow.");
    }
  });

const answerWith = (request: CustomerRequest | null) =>
  request ? Response.json(presentCustomerRequest(request)) : notFound();

export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Hand over with POST, take back with DELETE."));
