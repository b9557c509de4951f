import type { LoaderFunctionArgs } from "@remix-run/node";
import { redeemDocumentTicket } from "../modules/access/open-document.ts";
import { customerHelp } from "../modules/shops/customer-help.ts";
import { lookedAt } from "../web/customer-interface/looked-at.ts";
import { pdfResponse } from "../web/customer-interface/pdf-response.ts";
import { readToken } from "../web/customer-interface/token.ts";
import { despiteOutage } from "../web/customer-pages/despite-outage.ts";
import { documentAwayPage, messagePage } from "../web/customer-pages/message-pages.tsx";
import { hostedPage, NO_SHOP } from "../web/customer-pages/page-response.tsx";

/** GET /documents/{ticket}: opens a document once, by a ticket from the customer interface. */
async function load({ request, params, context }: LoaderFunctionArgs) {
  if (request.method !== "GET") return lookedAt("application/pdf");
  const ticket = readToken(params.ticket);
  let page = messagePage("and_here.document_closed", { status: 404 });
  try {
    const opened = ticket && (await redeemDocumentTicket(context.app.ports, ticket));
    if (opened) return pdfResponse(opened);
  } catch (error) {
    page = documentAwayPage(error);
  }
  const help = (ticket && (await customerHelp(context.app.ports, ticket.shop))) ?? NO_SHOP;
  return hostedPage(page, { help });
}

export const loader = despiteOutage(load);
