import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { CustomerApi } from "./customer-api.ts";
import type { Host } from "./host.ts";

/** The means that every component of an extension may use. */
export interface AppContext {
  host: Host;
  api: CustomerApi;
}

const Context = createContext<AppContext | null>(null);
export const AppProvider = Context.Provider;

export function useApp(): AppContext {
  const app = useContext(Context);
  if (!app) throw new Error("AppProvider is missing");
  return app;
}

/** Words of the shopper's language by key of locales/*.json. */
export const useWords = (): Host["i18n"]["translate"] => {
  const { i18n } = useApp().host;
  return (key, values) => i18n.translate(key, values);
};
