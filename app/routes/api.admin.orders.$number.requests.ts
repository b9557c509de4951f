import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { gid } from "../modules/kernel/ids.ts";
import { describeForBlock } from "../modules/reports/order-block.ts";
import { isReachable, readOrder } from "../modules/reports/read-order.ts";

/**
 * GET /api/admin/orders/{number}/requests, for the block on the order's page in the Shopify admin: bearer
 * admin session token → [{id, title, state, stateText, nextStep, needsStaff}]. No names, nothing clinical.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { shop, cors } = await context.merchant(request);
  const { ports, describeFailure } = context.app;
  const number = params.number ?? "";
  const found = /^\d{1,20}$/.test(number)
    ? await readOrder(ports, { shop, orderId: gid("Order", number), actor: null })
    : null;
  const headers = { "Cache-Control": "private, no-store" };
  if (!found)
    return cors(
      Response.json({ error: "Pathway doesn’t have this order." }, { status: 404, headers }),
    );
  const reach = { isReachable: isReachable(found) };
  const requests = describeForBlock(found.requests, describeFailure, reach);
  return cors(Response.json(requests, { headers }));
}

/** Anything but GET. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { cors } = await context.merchant(request);
  return cors(Response.json({ error: "This can only be read." }, { status: 405 }));
}
