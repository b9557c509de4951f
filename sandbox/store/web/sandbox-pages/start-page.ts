import { adminAppBase, adminBase, type WebContext } from "../context.ts";
import { discoverExtensions } from "../extensions/discover.ts";
import { type Html, html } from "../html.ts";
import { sandboxPage } from "./layout.ts";

/** Where a newcomer begins: what is here, in the order in which the story goes. */
export async function startPage(web: WebContext): Promise<Html> {
  const { facts, ports } = web;
  const [installed, orders, mails, extensions] = await Promise.all([
    ports.appInstalled(),
    ports.orders(),
    ports.mails(),
    discoverExtensions(web.extensionsDir),
  ]);
  const unbuilt = extensions.ui.filter(({ bundleFile }) => bundleFile === null);
  const step = (path: string, title: string, text: string) =>
    html`<li class="card"><h2><a href="${path}">${title}</a></h2><p>${text}</p></li>`;
  return sandboxPage(web, {
    place: "start",
    title: "Start",
    content: html`<h1>The sandbox store</h1>
      <p class="lead">
        ${facts.shopName} (<code>${facts.shop}</code>) stands in for a Shopify store on this machine, without any account
        and without the internet. Everything works as in a real store as far as ${facts.app.name} touches it; nothing is
        charged, and no mail leaves.
      </p>
      ${!facts.app.url && html`<p class="notice">The store was started without an app: add <code>--app-url</code>.</p>`}
      ${
        unbuilt.length > 0 &&
        html`<p class="notice">Not built yet: ${unbuilt.map(({ name }) => name).join(", ")}. <code>npm run build</code> builds the extensions.</p>`
      }
      <h2 class="section-title">A purchase from end to end</h2>
      <ol class="steps">
        ${step(adminAppBase(facts), `1. ${installed ? "Open" : "Install"} ${facts.app.name}`, "The app inside the admin, as a merchant sees it.")}
        ${step("/", "2. Buy a test", "The storefront, the cart and a checkout that takes a test card.")}
        ${step("/account", "3. Sign in as the customer", "By an emailed code. The order page and “My tests” are the app's own extensions.")}
        ${step(`${adminBase(facts)}/orders`, "4. Look at the order as staff", orders.length === 0 ? "The order page holds the app's block. No orders yet." : `The order page holds the app's block. ${orders.length} so far.`)}
      </ol>
      <h2 class="section-title">Behind the scenes</h2>
      <ul class="steps">
        ${step("/sandbox/mail", "Inbox", `Every mail of the store and the app: ${mails.length} so far.`)}
        ${step("/sandbox/webhooks", "Webhooks", "Each delivery to the app, its attempts and answers; send one again.")}
        ${step(`${adminBase(facts)}/settings`, "Settings", "Uninstall the app; switch between new and legacy customer accounts.")}
      </ul>
      <section class="card">
        <h2>Addresses</h2>
        <dl class="facts">
          <dt>Online store</dt><dd><code>${facts.origin}/</code></dd>
          <dt>Admin</dt><dd><code>${facts.origin}/admin-ui</code></dd>
          <dt>Admin API</dt><dd><code>${facts.origin}/admin/api/${facts.apiVersion}/graphql.json</code></dd>
          <dt>App Bridge</dt><dd><code>${facts.origin}/app-bridge.js</code></dd>
          <dt>App</dt><dd><code>${facts.app.url ?? "none"}</code></dd>
        </dl>
      </section>`,
  });
}
