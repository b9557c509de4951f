import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { openLink, recogniseSession, whyClosed } from "../modules/access/open-link.ts";
import { renewLink } from "../modules/access/renew-link.ts";
import { equalSecrets, newSecret } from "../modules/kernel/secret.ts";
import { customerHelp } from "../modules/shops/customer-help.ts";
import { readToken, writeToken } from "../web/customer-interface/token.ts";
import { despiteOutage } from "../web/customer-pages/despite-outage.ts";
import {
  goneLinkPage,
  isClosed,
  openLinkPage,
  renewedLinkPage,
} from "../web/customer-pages/message-pages.tsx";
import { FORM_TOKEN } from "../web/customer-pages/page-context.ts";
import { goTo, hostedPage, NO_SHOP } from "../web/customer-pages/page-response.tsx";
import {
  ownSecret,
  placeOfToken,
  sessionCookie,
  sessionFormToken,
  sessionSecret,
} from "../web/customer-pages/session-cookie.ts";

/** GET /t/{token}: what a mailed link leads to. Changes nothing: programs that look for malware look too. */
const load = (args: LoaderFunctionArgs) => look(args);

async function look(
  { request, params, context }: LoaderFunctionArgs,
  { hasNoCookie = false } = {},
): Promise<Response> {
  const { ports } = context.app;
  const link = readToken(params.token);
  if (!link) return hostedPage(goneLinkPage(), { help: NO_SHOP });
  const help = (await customerHelp(ports, link.shop)) ?? NO_SHOP;
  const place = placeOfToken(link.token);
  const kept = sessionSecret(request, place);
  const session = kept && (await recogniseSession(ports, { shop: link.shop, secret: kept }));
  if (session) return goTo(`/visit/${writeToken(link.shop, session.linkId)}`);
  const why = await whyClosed(ports, link);
  if (why) return hostedPage(goneLinkPage(why), { help });
  // Another tab of this browser may have the page open, with this secret.
  const secure = ports.appUrl.startsWith("https:");
  const secret = ownSecret(request, place, { secure }) ?? newSecret("guest_session");
  const page = openLinkPage(help.shopName, { formToken: sessionFormToken(secret), hasNoCookie });
  const response = hostedPage(page, { help });
  const cookie = sessionCookie(secret, { place, path: `/t/${params.token}`, secure });
  response.headers.append("Set-Cookie", cookie);
  return response;
}

/**
 * POST: opens the link for this browser, or asks for a new one. Only what the page's buttons say does either: a program that
 * posts nothing, to see what comes, sees the page. A browser that keeps no cookie is told so before the link is used up.
 */
async function act(args: ActionFunctionArgs): Promise<Response> {
  const { request, params, context } = args;
  const { ports } = context.app;
  const link = readToken(params.token);
  const help = (link && (await customerHelp(ports, link.shop))) ?? NO_SHOP;
  // A body that is no form says nothing.
  const form = await request.formData().catch(() => new FormData());
  if (form.get("intent") === "renew") {
    const why = link && (await whyClosed(ports, link));
    if (isClosed(why)) return hostedPage(goneLinkPage(why), { help });
    if (link) await renewLink(ports, { shop: link.shop, by: { token: link.token } });
    return hostedPage(renewedLinkPage(), { help });
  }
  if (!link) return hostedPage(goneLinkPage(), { help });
  if (form.get("intent") !== "open") return look(args);
  const secure = ports.appUrl.startsWith("https:");
  const kept = ownSecret(request, placeOfToken(link.token), { secure });
  // A page of an earlier version has no token, and neither has a program.
  const proof = form.get(FORM_TOKEN);
  const isOfThisBrowser =
    typeof proof === "string" && kept !== null && equalSecrets(proof, sessionFormToken(kept));
  if (proof !== null && !isOfThisBrowser) return look(args, { hasNoCookie: true });
  const session = await openLink(ports, { ...link, ...(isOfThisBrowser && { secret: kept }) });
  if (!session) {
    const why = (await whyClosed(ports, link)) ?? "unknown";
    return hostedPage(goneLinkPage(why), { help });
  }
  const address = `/visit/${writeToken(link.shop, session.linkId)}`;
  const response = goTo(address);
  const visit = { place: session.linkId, path: address };
  const mailed = { place: placeOfToken(link.token), path: `/t/${params.token}` };
  for (const where of [visit, mailed])
    response.headers.append("Set-Cookie", sessionCookie(session.secret, { ...where, secure }));
  return response;
}

export const loader = despiteOutage(load);
export const action = despiteOutage(act);
