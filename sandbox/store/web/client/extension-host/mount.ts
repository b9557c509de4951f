import { retain, ThreadWebWorker } from "@quilted/threads";
import { DOMRemoteReceiver } from "@remote-dom/core/receivers";
import type { ElementRules } from "../../extensions/element-rules.ts";
import type { WorkerApi } from "../extension-contract.ts";
import { resolveAddress } from "./addresses.ts";
import { createHostApi } from "./host-api.ts";
import { setHostPage } from "./host-page.ts";
import type { ExtensionPageData } from "./page-data.ts";
import { reportViolation } from "./sandbox-element.ts";
import { defineElements } from "./views/index.ts";

/** Runs one extension in a worker and shows what it renders inside `root`. */
export async function mountExtension(root: HTMLElement, data: ExtensionPageData): Promise<void> {
  const { description, places } = data;
  const response = await fetch(data.rulesUrl);
  if (!response.ok) throw new Error(await response.text());
  const rules = (await response.json()) as ElementRules;
  defineElements(rules);

  const receiver = new DOMRemoteReceiver({ retain, elements: Object.keys(rules) });
  receiver.connect(root);
  const worker = new Worker("/web-assets/js/extension-worker.js");
  worker.addEventListener("error", (event) => fail(root, event.message));
  const thread = new ThreadWebWorker<WorkerApi>(worker);

  const ownPage = places.pages[description.handle] ?? null;
  const navigate = (address: string, replace: boolean) => {
    const target = resolveAddress(address, places);
    if (target === null) {
      reportViolation(`nothing here answers to the address ${address}`);
      return;
    }
    const path = description.entryPath === null ? null : pathInside(target, ownPage);
    if (path === null) {
      location.assign(target);
      return;
    }
    // A step inside the extension's own page: the page stays, the extension hears of it.
    if (replace) history.replaceState(null, "", target);
    else if (target !== location.pathname + location.search) history.pushState(null, "", target);
    void thread.imports.entryChanged(path, replace ? "replace" : "push");
  };
  if (description.entryPath !== null) {
    addEventListener("popstate", () => {
      const path = pathInside(location.pathname + location.search, ownPage);
      if (path !== null) void thread.imports.entryChanged(path, "traverse");
    });
  }
  const page = { places, navigate };
  setHostPage(root, page);

  // A mutation that the host refuses is the extension's mistake: said aloud, not swallowed by a promise.
  const { connection } = receiver;
  await thread.imports.run({
    description,
    rules,
    connection: {
      call: connection.call,
      mutate: (records) => {
        try {
          connection.mutate(records);
        } catch (error) {
          reportViolation(error instanceof Error ? error.message : String(error));
        }
      },
    },
    host: createHostApi(data, root, page),
  });
}

/** Path inside the extension of an address of this site; null when it is somewhere else. */
function pathInside(target: string, ownPage: string | null): string | null {
  if (
    !ownPage ||
    !(target === ownPage || target.startsWith(`${ownPage}/`) || target.startsWith(`${ownPage}?`))
  ) {
    return null;
  }
  const rest = target.slice(ownPage.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Shows a failure where the extension would have been. */
export function fail(root: HTMLElement, message: string): void {
  console.error(`Extension: ${message}`);
  const box = document.createElement("p");
  box.className = "notice is-error";
  box.setAttribute("role", "alert");
  box.textContent = `This extension failed: ${message}`;
  root.replaceChildren(box);
}
