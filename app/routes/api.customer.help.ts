import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { customerHelp } from "../modules/shops/customer-help.ts";
import { dialAddress } from "../platform/dial-address.ts";
import { wholePhones } from "../platform/whole-phones.ts";
import { customerRoute, notFound, problem } from "../web/customer-interface/customer-route.ts";

/** GET /api/customer/help → {"shopName","email","phone","phoneUrl","hours","timeZone"}: whom to ask about a test. */
export const loader = (args: LoaderFunctionArgs) =>
  customerRoute(args, async ({ shop }) => {
    const help = await customerHelp(args.context.app.ports, shop);
    if (!help) return notFound();
    const { phone } = help;
    const own = { phone: phone && wholePhones(phone), phoneUrl: phone && dialAddress(phone) };
    return Response.json({ ...help, ...own });
  });

export const action = (args: ActionFunctionArgs) =>
  customerRoute(args, async () => problem(405, "The shop sets this."));
