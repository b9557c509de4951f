import type { LoaderFunctionArgs } from "@remix-run/node";
import { redeemExportTicket } from "../modules/access/export-everything.ts";
import { customerHelp } from "../modules/shops/customer-help.ts";
import { exportResponse } from "../web/customer-interface/export-response.ts";
import { lookedAt } from "../web/customer-interface/looked-at.ts";
import { readToken } from "../web/customer-interface/token.ts";
import { despiteOutage } from "../web/customer-pages/despite-outage.ts";
import { messagePage } from "../web/customer-pages/message-pages.tsx";
import { hostedPage, NO_SHOP } from "../web/customer-pages/page-response.tsx";

/** GET /exports/{ticket}: downloads everything once, by a ticket from the customer interface. */
async function load({ request, params, context }: LoaderFunctionArgs) {
  if (request.method !== "GET") return lookedAt("application/zip");
  const { ports } = context.app;
  const ticket = readToken(params.ticket);
  const files = ticket && (await redeemExportTicket(ports, ticket));
  if (files) return exportResponse(files, ports);
  const page = messagePage("and_here.download_closed", { status: 404 });
  const help = (ticket && (await customerHelp(ports, ticket.shop))) ?? NO_SHOP;
  return hostedPage(page, { help });
}

export const loader = despiteOutage(load);
