import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { issueDocumentTicket } from "../modules/access/open-document.ts";
import { readUuid } from "../modules/kernel/ids.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";
import { writeToken } from "../web/customer-interface/token.ts";

/**
 * POST /api/customer/documents/{id}/open → {"url"}: an address that opens the document once within a minute,
 * for a link, which cannot carry a token.
 */
export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const { request, params, context } = args;
    if (request.method !== "POST") return problem(405, "Ask with POST.");
    const documentId = readUuid(params.id);
    const secret =
      documentId && (await issueDocumentTicket(context.app.ports, { ...viewerScope, documentId }));
    if (!secret) return notFound();
    const ticket = writeToken(viewerScope.shop, secret);
    return Response.json({ url: `${context.app.ports.appUrl}/documents/${ticket}` });
  });

export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Ask with POST."));
