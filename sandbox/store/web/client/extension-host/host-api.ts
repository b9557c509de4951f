import type { GraphqlAnswer, HostApi } from "../extension-contract.ts";
import type { HostPage } from "./host-page.ts";
import type { ExtensionPageData } from "./page-data.ts";

/** The page's services for one extension, called from its worker. */
export function createHostApi(data: ExtensionPageData, root: HTMLElement, page: HostPage): HostApi {
  const { endpoints, context, description } = data;
  const prefix = `extension:${description.handle}:`;

  const post = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response.json();
  };
  const ask = (path: string) => async (query: string, variables?: Record<string, unknown>) =>
    (await post(path, { ...context, query, variables })) as GraphqlAnswer;

  return {
    sessionToken: async () => {
      const answer = (await post(endpoints.sessionToken, context)) as { token: string };
      return answer.token;
    },
    adminQuery: ask(endpoints.adminQuery),
    customerQuery: ask(endpoints.customerQuery),
    storefrontQuery: ask(endpoints.storefrontQuery),
    toast: async (message) => showToast(message),
    navigate: async (address, replace) => page.navigate(address, replace),
    requireLogin: async () => {
      if (description.data.signals.authenticationState === "fully_authenticated") return;
      location.assign(data.loginPath);
      await new Promise(() => {});
    },
    close: async () => root.closest("dialog")?.close(),
    readStorage: async (key) => JSON.parse(localStorage.getItem(prefix + key) ?? "null"),
    writeStorage: async (key, value) => localStorage.setItem(prefix + key, JSON.stringify(value)),
    deleteStorage: async (key) => {
      const had = localStorage.getItem(prefix + key) !== null;
      localStorage.removeItem(prefix + key);
      return had;
    },
    storageEntries: async () =>
      Object.keys(localStorage)
        .filter((key) => key.startsWith(prefix))
        .map((key) => [key.slice(prefix.length), JSON.parse(localStorage.getItem(key) ?? "null")]),
    setRendered: async () => {
      root.dataset.rendered = "true";
    },
  };
}

/** Says something in the page's live region for a few seconds. */
function showToast(message: string): void {
  const region = document.querySelector("#toasts");
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.textContent = message;
  region?.append(toast);
  setTimeout(() => toast.remove(), 5000);
}
