import type { WebContext } from "../context.ts";
import { type Html, html, jsonScript } from "../html.ts";
import { describeExtension, type Placement } from "./describe.ts";

/** The place of one extension in a page, with its data; or a hint when it has not been built. */
export async function extensionSlot(
  web: WebContext,
  placement: Placement,
  index: number,
): Promise<Html> {
  const { extension } = placement;
  if (!extension.bundleFile) {
    return html`<p class="notice">
      The extension <strong>${extension.name}</strong> belongs here and has not been built yet. Build it with
      <code>npm run build</code> and load this page again.
    </p>`;
  }
  const data = await describeExtension(web, placement);
  return html`<div class="extension" data-extension="${index}" data-handle="${extension.handle}"></div>
    ${jsonScript(`extension-${index}`, data)}`;
}
