import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { openDocument } from "../modules/access/open-document.ts";
import { readUuid } from "../modules/kernel/ids.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";
import { pdfResponse } from "../web/customer-interface/pdf-response.ts";

/** GET /api/customer/documents/{id}: the PDF; 404 for anybody else. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async (viewerScope) => {
    const documentId = readUuid(args.params.id);
    const opened =
      documentId && (await openDocument(args.context.app.ports, { ...viewerScope, documentId }));
    return opened ? pdfResponse(opened) : notFound();
  });

export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async () => problem(405, "Documents can only be read."));
