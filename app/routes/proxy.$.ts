import type { LoaderFunctionArgs } from "@remix-run/node";
import { issueExportTicket } from "../modules/access/export-everything.ts";
import { issueDocumentTicket } from "../modules/access/open-document.ts";
import { type CustomerId, shopDomain } from "../modules/kernel/ids.ts";
import { customerHelp } from "../modules/shops/customer-help.ts";
import { isOthersWrite } from "../web/customer-interface/of-another-store.ts";
import { writeToken } from "../web/customer-interface/token.ts";
import { despiteOutage } from "../web/customer-pages/despite-outage.ts";
import { messagePage, signedOutPage } from "../web/customer-pages/message-pages.tsx";
import { goTo, NO_SHOP, themePage } from "../web/customer-pages/page-response.tsx";
import { answerCustomerPage, keepSignedOutForm } from "../web/customer-pages/page-routes.ts";

/**
 * /proxy/…: "My tests" inside the shop's theme, for shops with legacy customer accounts. The same pages and
 * the same rules as everywhere; documents open by ticket, so that no PDF passes the shop's domain.
 */
async function answer({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  const { ports, proxyCall, proxyFormToken } = context.app;
  const call = proxyCall(request.url);
  if (!call) context.app.refusals.note("proxy", shopDomain(shopInQuery(request)));
  if (!call) return new Response("There is nothing here.", { status: 404 });
  const { shop, customerId, prefix: base } = call;
  const help = (await customerHelp(ports, shop)) ?? NO_SHOP;
  const path = params["*"] ?? "";
  if (!customerId) {
    const formTokenOf = (theirs: CustomerId) => proxyFormToken({ shop, customerId: theirs });
    const isKept = await keepSignedOutForm({ ports, request, path, shop, formTokenOf });
    return themePage(signedOutPage({ isKept }), help);
  }
  const viewerScope = { shop, viewer: { kind: "customer", customerId } } as const;
  if (await isOthersWrite(context.app, request, viewerScope, "proxy"))
    return themePage(messagePage("and_here.other_store", { status: 503 }), help);
  const found = await answerCustomerPage({
    ports,
    viewerScope,
    context: {
      base,
      formToken: proxyFormToken({ shop, customerId }),
      timeZone: help.timeZone,
    },
    request,
    path,
    openDocument: async (documentId) => {
      const ticket = await issueDocumentTicket(ports, { ...viewerScope, documentId });
      return ticket === null ? null : goTo(`${ports.appUrl}/documents/${writeToken(shop, ticket)}`);
    },
    openExport: async () => {
      const ticket = await issueExportTicket(ports, { shop, customerId });
      return goTo(`${ports.appUrl}/exports/${writeToken(shop, ticket)}`);
    },
  });
  if (found instanceof Response) return found;
  return themePage(found, help);
}

const shopInQuery = (request: Request) => new URL(request.url).searchParams.get("shop") ?? "";

export const loader = despiteOutage(answer, themePage);
export const action = despiteOutage(answer, themePage);
