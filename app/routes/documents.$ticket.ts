import type { LoaderFunctionArgs } from "@remix-run/node";
import { redeemDocumentTicket } from "../modules/access/open-document.ts";
import { pdfResponse } from "../web/customer-interface/pdf-response.ts";
import { readToken } from "../web/customer-interface/token.ts";
import { messagePage } from "../web/customer-pages/message-pages.tsx";
import { hostedPage, NO_SHOP } from "../web/customer-pages/page-response.tsx";

/** GET /documents/{ticket}: opens a document once, by a ticket from the customer interface. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const ticket = readToken(params.ticket);
  const opened = ticket && (await redeemDocumentTicket(context.app.ports, ticket));
  if (opened) return pdfResponse(opened);
  const page = messagePage("and_here.document_closed", { status: 404 });
  return hostedPage(page, { shopName: NO_SHOP });
}
