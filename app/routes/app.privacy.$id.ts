import { type ActionFunctionArgs, data } from "@remix-run/node";
import { fileNotAllowed } from "../components/feedback/not-allowed.server.ts";
import { readForm } from "../components/form/read-form.server.ts";
import { openDataExport } from "../modules/privacy/open-data-export.ts";
import { readDataExportForm } from "./app.settings/data-export-form.ts";

/**
 * Downloads as JSON what is held about one customer who asked for it. A POST with a reason, because the download is
 * recorded: who took it, when and why. 422 without a reason, 403 for a role that may not, 404 when there is nothing to
 * download, or not any more.
 */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const inboxId = params.id ?? "";
  if (!/^\d{1,18}$/.test(inboxId)) throw data(null, { status: 404 });
  const form = readDataExportForm(await readForm(request));
  if (form.kind === "invalid") return Response.json({ errors: form.errors }, { status: 422 });
  const wish = { shop, inboxId, actor, ...form.value };
  const outcome = await openDataExport(context.app.ports, wish);
  if (outcome.kind === "not_allowed") return fileNotAllowed(outcome);
  if (outcome.kind === "not_found") throw data(null, { status: 404 });
  return new Response(JSON.stringify(outcome.held, null, 2), {
    headers: {
      "content-type": "application/json",
      "content-disposition": `attachment; filename="customer-data-${inboxId}.json"`,
      "cache-control": "no-store",
    },
  });
}
