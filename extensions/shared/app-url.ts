// Written by tools/build-extensions.mjs from PATHWAY_APP_URL or shopify.app.toml: change it there.
import { developmentUrl } from "./development-url.ts";

/** Origin of the app that the extensions call, without a trailing slash. */
export const appUrl = developmentUrl() ?? "https://pathway.example";
