import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { listSavedPatients } from "../../modules/access/saved-patients.ts";
import { customerRoute, notFound, problem } from "../../web/customer-interface/customer-route.ts";
import { presentSavedPatient } from "../../web/customer-interface/present-saved-patient.ts";

/** GET /api/customer/profiles: the people whose details this signed-in customer keeps; 404 with a link's token. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const saved = await listSavedPatients(args.context.app.ports, viewerScope);
    return saved ? Response.json(saved.map(presentSavedPatient)) : notFound();
  });

export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Save a patient with PUT /profiles/{id}."));
