/** Mounts every extension that the server has placed in the page. */
import { fail, mountExtension } from "./mount.ts";
import type { ExtensionPageData } from "./page-data.ts";

for (const root of document.querySelectorAll<HTMLElement>("[data-extension]")) {
  const text = document.getElementById(`extension-${root.dataset.extension}`)?.textContent;
  if (!text) continue;
  mountExtension(root, JSON.parse(text) as ExtensionPageData).catch((error: unknown) => {
    fail(root, error instanceof Error ? error.message : String(error));
  });
}
