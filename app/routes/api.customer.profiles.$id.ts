import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { findSavedPatient, putSavedPatient } from "../modules/access/saved-patients.ts";
import { readUuid } from "../modules/kernel/ids.ts";
import { MAX_SAVED_PATIENTS } from "../modules/patients/saved-patient.ts";
import { deleteSavedPatient } from "../modules/privacy/delete-saved-patient.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";
import { presentSavedPatient } from "../web/customer-interface/present-saved-patient.ts";

/** GET /api/customer/profiles/{id}: the details of somebody whom this signed-in customer keeps. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const id = readUuid(args.params.id);
    const saved = id && (await findSavedPatient(args.context.app.ports, { ...viewerScope, id }));
    return saved ? Response.json(presentSavedPatient(saved)) : notFound();
  });

/** PUT keeps or replaces the details → the saved patient; 422 names each fault, 409 beyond twenty. DELETE → 204. */
export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const { request, params, context } = args;
    const { method } = request;
    if (method !== "PUT" && method !== "DELETE")
      return problem(405, "Save a patient with PUT, and delete with DELETE.");
    const id = readUuid(params.id);
    if (!id) return notFound();
    const target = { ...viewerScope, id };
    if (method === "DELETE")
      return (await deleteSavedPatient(context.app.ports, target))
        ? new Response(null, { status: 204 })
        : notFound();
    // A body that is no JSON lacks every field, and is answered field by field.
    const details: unknown = await request.json().catch(() => null);
    const outcome = await putSavedPatient(context.app.ports, { ...target, details });
    switch (outcome.kind) {
      case "saved":
        return Response.json(presentSavedPatient(outcome.saved));
      case "invalid":
        return Response.json({ errors: outcome.errors }, { status: 422 });
      case "not_found":
        return notFound();
      case "too_many":
        return problem(409, `You can save ${MAX_SAVED_PATIENTS} people. Delete one of them first.`);
    }
  });
