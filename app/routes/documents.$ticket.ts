import type { LoaderFunctionArgs } from "@remix-run/node";
import { pdfResponse } from "../customer-interface/pdf-response.ts";
import { redeemDocumentTicket } from "../domain/account/open-document.ts";
import { shopDomain } from "../domain/ids.ts";

/** GET /documents/{ticket}: opens a document once, by a ticket from the customer interface. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const [name = "", ticket = ""] = (params.ticket ?? "").split(".");
  const shop = shopDomain(`${name}.myshopify.com`);
  const opened =
    shop && ticket && (await redeemDocumentTicket(context.app.ports, { shop, ticket }));
  if (opened) return pdfResponse(opened);
  return new Response(
    "This link has been used or has expired. Open the document from your account again.",
    {
      status: 404,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    },
  );
}
