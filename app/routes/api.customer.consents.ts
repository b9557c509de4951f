import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { listConsents } from "../modules/access/list-consents.ts";
import { customerRoute, problem } from "../web/customer-interface/customer-route.ts";

/** GET /api/customer/consents: what was agreed to for the tests that are theirs, with the words that were shown, newest first. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) =>
    Response.json(await listConsents(args.context.app.ports, viewerScope)),
  );

export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Consents can only be read."));
