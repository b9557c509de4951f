import type { LoaderFunctionArgs } from "@remix-run/node";
import { exportEverything } from "../modules/access/export-everything.ts";
import { openDocument } from "../modules/access/open-document.ts";
import { endSession, hasLapsed, recogniseSession } from "../modules/access/open-link.ts";
import { renewLink } from "../modules/access/renew-link.ts";
import { customerHelp } from "../modules/shops/customer-help.ts";
import { exportResponse } from "../web/customer-interface/export-response.ts";
import { pdfResponse } from "../web/customer-interface/pdf-response.ts";
import { readLinkAddress } from "../web/customer-interface/token.ts";
import { despiteOutage } from "../web/customer-pages/despite-outage.ts";
import { LeaveForm } from "../web/customer-pages/leave-form.tsx";
import {
  goneLinkPage,
  messagePage,
  renewedLinkPage,
} from "../web/customer-pages/message-pages.tsx";
import type { Page } from "../web/customer-pages/page.tsx";
import { hostedPage, NO_SHOP } from "../web/customer-pages/page-response.tsx";
import { answerCustomerPage, keepLateForm } from "../web/customer-pages/page-routes.ts";
import {
  sessionCookie,
  sessionFormToken,
  sessionSecret,
} from "../web/customer-pages/session-cookie.ts";

/**
 * /visit/{shop}.{link}/…: the pages of somebody whom a mailed link let in. Whoever has no cookie of this session
 * gets the same page as for an address that never was.
 */
async function answer({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  const { ports } = context.app;
  const address = readLinkAddress(params.address);
  const secret = address && sessionSecret(request, address.linkId);
  const help = (address && (await customerHelp(ports, address.shop))) ?? NO_SHOP;
  const session =
    address && secret && (await recogniseSession(ports, { shop: address.shop, secret }));
  const base = `/visit/${params.address}`;
  const path = params["*"] ?? "";
  /** The browser forgets the cookie, and whatever else it kept of this host but the cookies of other visits. */
  const signedOut = (page: Page) => {
    const response = hostedPage(page, { help });
    if (!address || !secret) return response;
    const secure = ports.appUrl.startsWith("https:");
    const cookie = sessionCookie("", { place: address.linkId, path: base, secure });
    response.headers.append("Set-Cookie", cookie);
    response.headers.set("Clear-Site-Data", '"cache", "storage"');
    return response;
  };
  if (!address || !secret || !session || session.linkId !== address.linkId) {
    if (request.method !== "POST") return hostedPage(goneLinkPage(), { help });
    if (!address) return hostedPage(renewedLinkPage(), { help });
    // Signed out already, by the first of two presses or by the clock: nobody who leaves wants a new link.
    if (isSigningOut(request, path)) return signedOut(signedOutWords(path));
    const { shop, linkId } = address;
    // The first of two presses deleted the data, and ended the visit with it.
    if (isErasing(request, path) && secret && !(await hasLapsed(ports, { shop, secret })))
      return signedOut(messagePage("and_here.visit_over"));
    const late = {
      base,
      formToken: sessionFormToken(secret ?? ""),
      timeZone: help.timeZone,
    };
    const isKept =
      secret !== null &&
      (await keepLateForm({
        ...{ ports, shop, secret, request, path, context: late },
      }));
    await renewLink(ports, { shop, by: { linkId } });
    return hostedPage(renewedLinkPage({ isKept }), { help });
  }
  const { shop } = address;
  const viewerScope = { shop, viewer: session.viewer };
  const formToken = sessionFormToken(secret);
  const setting = { help, leave: LeaveForm({ base, formToken }) };
  if (path === LEAVE && request.method === "POST") {
    await endSession(ports, { shop, secret });
    return signedOut(signedOutWords(path));
  }
  const found = await answerCustomerPage({
    ports,
    viewerScope,
    context: { base, formToken, timeZone: help.timeZone },
    request,
    path,
    openDocument: async (documentId) => {
      const opened = await openDocument(ports, { ...viewerScope, documentId });
      return opened && pdfResponse(opened);
    },
    openExport: async () => exportResponse(await exportEverything(ports, viewerScope), ports),
  });
  if (found instanceof Response) return found;
  const isOver =
    (isSigningOut(request, path) && found.status === 200) ||
    (isErasing(request, path) && !(await recogniseSession(ports, { shop, secret })));
  return isOver ? signedOut(found) : hostedPage(found, setting);
}

const LEAVE = "leave";
const LEAVE_EVERYWHERE = "data/visits";

const isSigningOut = ({ method }: Request, path: string): boolean =>
  method === "POST" && (path === LEAVE || path === LEAVE_EVERYWHERE);

const isErasing = ({ method }: Request, path: string): boolean =>
  method === "POST" && /^requests\/[^/]+\/erase$/.test(path);

const signedOutWords = (path: string): Page =>
  messagePage(path === LEAVE ? "and_here.left" : "visits.ended");

export const loader = despiteOutage(answer);
export const action = despiteOutage(answer);
