import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import express, { type Router } from "express";
import type { BridgeConfig } from "./client/bridge-protocol.ts";
import { isClientBundle } from "./client-bundles.ts";
import { adminAppBase, adminBase, type WebContext } from "./context.ts";
import { activeExtensions } from "./extensions/active-extensions.ts";
import { discoverExtensions } from "./extensions/discover.ts";
import { ElementRulesCache } from "./extensions/element-rules-cache.ts";
import { asyncHandler, parameter } from "./http.ts";

const STYLES = fileURLToPath(new URL("./styles/", import.meta.url));
const FONTS = join(
  dirname(createRequire(import.meta.url).resolve("@fontsource/inter/400.css")),
  "files",
);

/** Scripts, styles and fonts of the pages, and the built extensions: `/web-assets/*`. */
export function assetRoutes(web: WebContext): Router {
  const router = express.Router();
  const rules = new ElementRulesCache(web.cacheDir);
  router.use("/styles", express.static(STYLES, { index: false, cacheControl: false }));
  router.use("/fonts", express.static(FONTS, { index: false, immutable: true, maxAge: "1y" }));
  router.get("/icon.svg", (_request, response) => response.type("svg").send(ICON));

  router.get(
    "/js/:name.js",
    asyncHandler(async (request, response) => {
      const name = parameter(request.params.name);
      if (!isClientBundle(name)) {
        response.status(404).end();
        return;
      }
      // The headers of a worker's own script decide what the worker may reach.
      if (name === "extension-worker") response.set("Content-Security-Policy", workerPolicy(web));
      response
        .type("js")
        .set("Cache-Control", "no-cache")
        .send(await web.bundles.script(name));
    }),
  );
  router.get(
    "/element-rules/:target.json",
    asyncHandler(async (request, response) => {
      const target = parameter(request.params.target);
      const { ui } = await discoverExtensions(web.extensionsDir);
      if (!ui.some((extension) => extension.target === target)) response.status(404).end();
      else response.set("Cache-Control", "no-cache").json(await rules.rulesOf(target));
    }),
  );
  router.get(
    "/extensions/:handle.js",
    asyncHandler(async (request, response) => {
      const { ui } = await discoverExtensions(web.extensionsDir);
      const file = ui.find(({ handle }) => handle === request.params.handle)?.bundleFile;
      if (file) response.sendFile(file, { cacheControl: false });
      else response.status(404).end();
    }),
  );
  return router;
}

/** `/app-bridge.js`: the stand-in, with what it must know of this store in front. */
export async function appBridgeScript(web: WebContext): Promise<string> {
  const { facts, ports, bundles, extensionsDir } = web;
  const { host = "" } = await ports.appLaunchQuery();
  const config: BridgeConfig = {
    adminOrigin: facts.origin,
    adminBasePath: adminBase(facts),
    adminAppPath: adminAppBase(facts),
    shop: facts.shop,
    apiKey: facts.app.apiKey,
    host,
    locale: "en-AU",
    extensions: activeExtensions(await discoverExtensions(extensionsDir)),
  };
  return `self.sandboxAppBridge=${JSON.stringify(config)};\n${await bundles.script("app-bridge")}`;
}

function workerPolicy({ facts }: WebContext): string {
  const app = facts.app.url ? ` ${new URL(facts.app.url).origin}` : "";
  return `default-src 'none'; script-src 'self'; connect-src 'self'${app}`;
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#12394a"/><path d="M9 12h14l-1.4 12H10.4z" fill="#f5d9a8"/><path d="M12 12a4 4 0 0 1 8 0" fill="none" stroke="#f5d9a8" stroke-width="2.2"/></svg>`;
