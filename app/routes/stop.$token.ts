import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { stopReminders } from "../modules/access/stop-reminders.ts";
import { customerHelp } from "../modules/shops/customer-help.ts";
import { readToken } from "../web/customer-interface/token.ts";
import { messagePage, stopPage } from "../web/customer-pages/message-pages.tsx";
import { hostedPage, NO_SHOP } from "../web/customer-pages/page-response.tsx";

/** GET /stop/{token}: asks before it stops anything. The same for every address: nothing is given away. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const link = readToken(params.token);
  const help = (link && (await customerHelp(context.app.ports, link.shop))) ?? NO_SHOP;
  return hostedPage(stopPage(), { help });
}

/** POST: no more reminders, from the page or by one click in a mail program (RFC 8058). */
export async function action({ params, context }: ActionFunctionArgs) {
  const link = readToken(params.token);
  if (link) await stopReminders(context.app.ports, link);
  const help = (link && (await customerHelp(context.app.ports, link.shop))) ?? NO_SHOP;
  return hostedPage(messagePage("stop.stopped"), { help });
}
