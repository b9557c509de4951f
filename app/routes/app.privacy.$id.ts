import { type ActionFunctionArgs, data } from "@remix-run/node";
import { openDataExport } from "../modules/privacy/open-data-export.ts";

/**
 * Downloads as JSON what is held about one customer who asked for it. A POST, because the download is recorded: who
 * took it and when. 404 when there is nothing to download, or not any more.
 */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop, sessionToken } = await context.merchant(request);
  const inboxId = params.id ?? "";
  if (!/^\d{1,18}$/.test(inboxId)) throw data(null, { status: 404 });
  const actor = `staff:${sessionToken?.sub ?? "unknown"}` as const;
  const outcome = await openDataExport(context.app.ports, { shop, inboxId, actor });
  if (outcome.kind === "not_found") throw data(null, { status: 404 });
  return new Response(JSON.stringify(outcome.held, null, 2), {
    headers: {
      "content-type": "application/json",
      "content-disposition": `attachment; filename="customer-data-${inboxId}.json"`,
      "cache-control": "no-store",
    },
  });
}
