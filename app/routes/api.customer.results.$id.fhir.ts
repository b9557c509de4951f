import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { fhirBundle } from "../modules/access/fhir-bundle.ts";
import { openResult } from "../modules/access/open-result.ts";
import { readUuid } from "../modules/kernel/ids.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";

/** GET /api/customer/results/{id}/fhir: the released result as a FHIR R4 Bundle; 404 for anybody else and before. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const resultId = readUuid(args.params.id);
    const result =
      resultId &&
      (await openResult(args.context.app.ports, {
        ...viewerScope,
        resultId,
        as: "result_taken_as_fhir",
      }));
    if (!result) return notFound();
    const headers = { "content-type": "application/fhir+json; charset=utf-8" };
    return new Response(JSON.stringify(fhirBundle([result])), { headers });
  });

export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Results can only be read."));
