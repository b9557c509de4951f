import type { LoaderFunctionArgs } from "@remix-run/node";
import { redeemDocumentTicket } from "../modules/access/open-document.ts";
import { shopDomain } from "../modules/kernel/ids.ts";
import { pdfResponse } from "../web/customer-interface/pdf-response.ts";
import { messagePage } from "../web/customer-pages/message-pages.tsx";
import { hostedPage, NO_SHOP } from "../web/customer-pages/page-response.tsx";

/** GET /documents/{ticket}: opens a document once, by a ticket from the customer interface. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const [name = "", ticket = ""] = (params.ticket ?? "").split(".");
  const shop = shopDomain(`${name}.myshopify.com`);
  const opened =
    shop && ticket && (await redeemDocumentTicket(context.app.ports, { shop, ticket }));
  if (opened) return pdfResponse(opened);
  const page = messagePage("and_here.document_closed", { status: 404 });
  return hostedPage(page, { shopName: NO_SHOP });
}
