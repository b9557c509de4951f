import type { ExtensionDescription } from "../extension-contract.ts";
import type { Places } from "./addresses.ts";

/** The server's data in the page for each extension. */
export interface ExtensionPageData {
  description: ExtensionDescription;
  rulesUrl: string;
  places: Places;
  /** Where to ask, and what to send along: an order, the key of a status link. */
  endpoints: {
    sessionToken: string;
    adminQuery: string;
    customerQuery: string;
    storefrontQuery: string;
  };
  context: Record<string, string>;
  loginPath: string;
}
