import { readFile } from "node:fs/promises";
import { join } from "node:path";
import toml from "toml";
import { z } from "zod";
import type { ExtensionData, Surface } from "../client/extension-contract.ts";
import type { ExtensionPageData } from "../client/extension-host/page-data.ts";
import { adminAppBase, adminBase, type WebContext } from "../context.ts";
import { discoverExtensions, type UiExtension } from "./discover.ts";

const appFile = z.object({ application_url: z.url() });

export interface Placement {
  extension: UiExtension;
  surface: Surface;
  data: Omit<ExtensionData, "absent">;
  /** Sent along with every request for the extension: which order, by which right. */
  context: Record<string, string>;
  loginPath: string;
  /** Full pages: the path inside the extension. */
  entryPath?: string;
}

/** Describes an extension for the page's script that hosts it. */
export async function describeExtension(
  web: WebContext,
  placement: Placement,
): Promise<ExtensionPageData> {
  const { extension, surface } = placement;
  const { facts } = web;
  const api = surface === "admin" ? "/admin-ui/api" : "/account/api";
  const publicOrigin = await appPublicOrigin(web);
  const origin = facts.app.url ? new URL(facts.app.url).origin : null;
  return {
    description: {
      surface,
      target: extension.target,
      handle: extension.handle,
      name: extension.name,
      apiVersion: extension.apiVersion,
      scriptUrl: `/web-assets/extensions/${extension.handle}.js`,
      networkAccess: extension.networkAccess,
      translations: extension.translations,
      locale: "en-AU",
      currencyCode: facts.currencyCode,
      data: { ...placement.data, absent: absentOf(placement.data) },
      app: { publicOrigin, origin },
      entryPath: placement.entryPath ?? null,
    },
    rulesUrl: `/web-assets/element-rules/${extension.target}.json`,
    places: {
      pages: await pagePaths(web),
      handle: extension.handle,
      accountPath: "/account",
      adminPath: adminBase(facts),
      adminAppPath: adminAppBase(facts),
      appPublicOrigin: publicOrigin,
      appOrigin: origin,
    },
    endpoints: {
      sessionToken: `${api}/session-token`,
      adminQuery: `${api}/graphql`,
      customerQuery: `${api}/customer-graphql`,
      storefrontQuery: `${api}/storefront-graphql`,
    },
    context: placement.context,
    loginPath: placement.loginPath,
  };
}

function absentOf({ signals }: Placement["data"]): string[] {
  return Object.keys(signals).filter((name) => signals[name] === undefined);
}

/** Paths of the full pages of the customer account, by handle. */
async function pagePaths(web: WebContext): Promise<Record<string, string>> {
  const { ui } = await discoverExtensions(web.extensionsDir);
  return Object.fromEntries(
    ui
      .filter(({ target }) => target === "customer-account.page.render")
      .map(({ handle }) => [handle, `/account/pages/${handle}`]),
  );
}

/** The address under which bundles know the app: `application_url` of the file beside the extensions folder. */
async function appPublicOrigin({ extensionsDir }: WebContext): Promise<string | null> {
  const file = join(extensionsDir, "..", "shopify.app.toml");
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return null;
  return new URL(appFile.parse(toml.parse(text)).application_url).origin;
}
