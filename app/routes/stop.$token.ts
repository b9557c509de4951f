import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { readToken } from "../customer-interface/token.ts";
import { messagePage, stopPage } from "../customer-pages/message-pages.tsx";
import { hostedPage, NO_SHOP } from "../customer-pages/page-response.tsx";
import { stopReminders } from "../domain/links/stop-reminders.ts";

/** GET /stop/{token}: asks before it stops anything. The same for every address: nothing is given away. */
export const loader = async (_: LoaderFunctionArgs) =>
  hostedPage(stopPage(), { shopName: NO_SHOP });

/** POST: no more reminders, from the page or by one click in a mail program (RFC 8058). */
export async function action({ params, context }: ActionFunctionArgs) {
  const link = readToken(params.token);
  if (link) await stopReminders(context.app.ports, link);
  return hostedPage(messagePage("stop.stopped"), { shopName: NO_SHOP });
}
