import { adminAppBase, adminBase, type WebContext } from "../context.ts";
import { type Html, html, jsonScript } from "../html.ts";
import { adminPage } from "./layout.ts";

/** The signed-in staff member of the sandbox, as `shopify.user()` tells. */
const STAFF = { id: 1, name: "Sam Staff", email: "sam.staff@example.com", accountAccess: "full" };

/**
 * The page that holds the app. `path` is the app's own path with query (`/app/settings?tab=2`), or empty for its home.
 */
export async function appPage(context: WebContext, path: string): Promise<Html> {
  const { facts, ports } = context;
  if (!facts.app.url) return hintPage(context, "No app is running here", noAppHint);
  if (!(await ports.appInstalled())) return installPage(context);

  const appPath = path === "" || path === "/" ? facts.app.homePath : path;
  const source = new URL(facts.app.url + appPath);
  for (const [name, value] of Object.entries(await ports.appLaunchQuery())) {
    source.searchParams.set(name, value);
  }
  return adminPage({
    facts,
    place: "app",
    title: facts.app.name,
    fullWidth: true,
    scripts: ["/web-assets/js/admin-frame.js"],
    content: html`<div class="app-bar">
        <div id="app-breadcrumb"></div>
        <h1 id="app-title">${facts.app.name}</h1>
        <div id="app-actions" class="actions"></div>
      </div>
      <div id="progress" class="progress" role="progressbar" aria-label="Loading the app"></div>
      <div id="app-silent" class="notice" hidden>
        <p>
          <strong>${facts.app.name} has not answered.</strong> Is it running at
          <code>${facts.app.url}</code>, and does it load App Bridge from
          <code>${facts.origin}/app-bridge.js</code>?
        </p>
      </div>
      <iframe id="app-frame" title="${facts.app.name}" allow="clipboard-write"></iframe>
      ${jsonScript("frame-data", {
        appName: facts.app.name,
        appOrigin: source.origin,
        adminBasePath: adminBase(facts),
        adminAppPath: adminAppBase(facts),
        apiPath: "/admin-ui/api",
        homePath: facts.app.homePath,
        path: appPath,
        source: source.href,
        staff: STAFF,
      })}`,
  });
}

function installPage({ facts }: WebContext): Html {
  return adminPage({
    facts,
    place: "app",
    title: `Install ${facts.app.name}`,
    content: html`<section class="card narrow">
      <h1>Install ${facts.app.name}?</h1>
      <p>${facts.app.name} will be able to:</p>
      <ul class="plain">${facts.app.scopes.map((scope) => html`<li><code>${scope}</code></li>`)}</ul>
      <form method="post" action="/admin-ui/install">
        <p class="button-row">
          <button class="button primary">Install</button>
          <a class="button" href="${adminBase(facts)}">Cancel</a>
        </p>
      </form>
    </section>`,
  });
}

const noAppHint = html`<p>
  The store was started without an app. Start it again with
  <code>npm run store -- --app-url http://127.0.0.1:3000</code>, or run the whole world with
  <code>npm run demo</code>.
</p>`;

function hintPage({ facts }: WebContext, title: string, hint: Html): Html {
  return adminPage({
    facts,
    place: "app",
    title,
    content: html`<section class="card narrow"><h1>${title}</h1>${hint}</section>`,
  });
}
