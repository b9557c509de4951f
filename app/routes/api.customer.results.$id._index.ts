import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { openResult } from "../modules/access/open-result.ts";
import { readUuid } from "../modules/kernel/ids.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";
import { presentResult } from "../web/customer-interface/present-result.ts";

/** GET /api/customer/results/{id}: the released result for display; 404 for anybody else and before. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const resultId = readUuid(args.params.id);
    const result =
      resultId && (await openResult(args.context.app.ports, { ...viewerScope, resultId }));
    return result ? Response.json(presentResult(result)) : notFound();
  });

export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Results can only be read."));
