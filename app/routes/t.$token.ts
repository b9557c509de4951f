import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { openLink, recogniseSession, whyClosed } from "../modules/access/open-link.ts";
import { renewLink } from "../modules/access/renew-link.ts";
import { customerHelp } from "../modules/shops/customer-help.ts";
import { readToken, writeToken } from "../web/customer-interface/token.ts";
import { despiteOutage } from "../web/customer-pages/despite-outage.ts";
import {
  goneLinkPage,
  openLinkPage,
  renewedLinkPage,
} from "../web/customer-pages/message-pages.tsx";
import { goTo, hostedPage, NO_SHOP } from "../web/customer-pages/page-response.tsx";
import {
  placeOfToken,
  sessionCookie,
  sessionSecret,
} from "../web/customer-pages/session-cookie.ts";

/** GET /t/{token}: what a mailed link leads to. Changes nothing: programs that look for malware look too. */
async function load({ request, params, context }: LoaderFunctionArgs) {
  const { ports } = context.app;
  const link = readToken(params.token);
  if (!link) return hostedPage(goneLinkPage(), { help: NO_SHOP });
  const help = (await customerHelp(ports, link.shop)) ?? NO_SHOP;
  const secret = sessionSecret(request, placeOfToken(link.token));
  const session = secret && (await recogniseSession(ports, { shop: link.shop, secret }));
  if (session) return goTo(`/visit/${writeToken(link.shop, session.linkId)}`);
  const why = await whyClosed(ports, link);
  if (why) return hostedPage(goneLinkPage(why), { help });
  return hostedPage(openLinkPage(help.shopName), { help });
}

/** POST: opens the link for this browser, or asks for a new one. */
async function act({ request, params, context }: ActionFunctionArgs) {
  const { ports } = context.app;
  const link = readToken(params.token);
  const help = (link && (await customerHelp(ports, link.shop))) ?? NO_SHOP;
  // A body that is no form has no intent, as when a link is opened.
  const form = await request.formData().catch(() => new FormData());
  if (form.get("intent") === "renew") {
    if (link) await renewLink(ports, { shop: link.shop, by: { token: link.token } });
    return hostedPage(renewedLinkPage(), { help });
  }
  if (!link) return hostedPage(goneLinkPage(), { help });
  const session = await openLink(ports, link);
  if (!session) {
    const why = (await whyClosed(ports, link)) ?? "unknown";
    return hostedPage(goneLinkPage(why), { help });
  }
  const address = `/visit/${writeToken(link.shop, session.linkId)}`;
  const secure = ports.appUrl.startsWith("https:");
  const response = goTo(address);
  const visit = { place: session.linkId, path: address };
  const mailed = { place: placeOfToken(link.token), path: `/t/${params.token}` };
  for (const where of [visit, mailed])
    response.headers.append("Set-Cookie", sessionCookie(session.secret, { ...where, secure }));
  return response;
}

export const loader = despiteOutage(load);
export const action = despiteOutage(act);
