import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { findCustomerRequest } from "../modules/access/list-requests.ts";
import { ownDetails } from "../modules/access/own-details.ts";
import { savePatientDetails } from "../modules/access/save-patient-details.ts";
import { readUuid } from "../modules/kernel/ids.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";
import { presentCustomerRequest } from "../web/customer-interface/present-request.ts";

/** PUT /api/customer/requests/{id}/patient: the patient's details → the request; 422 names each fault. */
export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const { request, params, context } = args;
    if (request.method !== "PUT") return problem(405, "Send the details with PUT.");
    const requestId = readUuid(params.id);
    if (!requestId) return notFound();
    // A body that is no JSON lacks every field, and is answered field by field.
    const details: unknown = await request.json().catch(() => null);
    const target = { ...viewerScope, requestId };
    const outcome = await savePatientDetails(context.app.ports, { ...target, details });
    switch (outcome.kind) {
      case "saved": {
        const saved = await findCustomerRequest(context.app.ports, target);
        return saved ? Response.json(presentCustomerRequest(saved)) : notFound();
      }
      case "invalid": {
        const { errors } = outcome;
        // The notice as it is now, for whoever read another one.
        const asked = await findCustomerRequest(context.app.ports, target);
        return Response.json({ errors, notice: asked?.notice ?? null }, { status: 422 });
      }
      case "not_found":
        return notFound();
      case "too_late":
        return problem(
          409,
          "These details have been sent already. Contact the shop to correct them.",
        );
    }
  });

/** GET: the details as given, for their owner alone, so that they can be corrected. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const requestId = readUuid(args.params.id);
    const details =
      requestId && (await ownDetails(args.context.app.ports, { ...viewerScope, requestId }));
    return details ? Response.json(details) : notFound();
  });
