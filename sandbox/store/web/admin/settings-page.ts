import { adminAppBase, type WebContext } from "../context.ts";
import { type Html, html } from "../html.ts";
import { adminPage } from "./layout.ts";

/** Installation of the app and the kind of customer accounts: what a merchant decides in Shopify's settings. */
export async function settingsPage({ facts, ports }: WebContext): Promise<Html> {
  const [installed, accounts] = await Promise.all([ports.appInstalled(), ports.customerAccounts()]);
  const choice = (kind: "new" | "legacy", label: string, text: string) =>
    html`<label class="choice">
      <input type="radio" name="kind" value="${kind}" ${kind === accounts && html`checked`} />
      <span><strong>${label}</strong><span class="quiet block">${text}</span></span>
    </label>`;
  return adminPage({
    facts,
    place: "settings",
    title: "Settings",
    content: html`<h1>Settings</h1>
      <section class="card">
        <h2>${facts.app.name}</h2>
        ${
          installed
            ? html`<p><span class="badge good">Installed</span> <a href="${adminAppBase(facts)}">Open the app</a></p>
                <form method="post" action="/admin-ui/uninstall"><button class="button critical">Uninstall</button></form>`
            : html`<p>Not installed.</p><p><a class="button primary" href="${adminAppBase(facts)}">Install</a></p>`
        }
      </section>
      <section class="card">
        <h2>Customer accounts</h2>
        <form method="post" action="/admin-ui/customer-accounts">
          <fieldset>
            <legend class="visually-hidden">Kind of customer accounts</legend>
            ${choice("new", "Customer accounts", "Signing in by a code; pages that host the app's extensions.")}
            ${choice("legacy", "Legacy customer accounts", "Account pages of the theme; the app appears through its proxy.")}
          </fieldset>
          <button class="button primary">Save</button>
        </form>
      </section>
      <section class="card">
        <h2>Store</h2>
        <dl class="facts">
          <dt>Domain</dt><dd><code>${facts.shop}</code></dd>
          <dt>API version</dt><dd><code>${facts.apiVersion}</code></dd>
          <dt>App's API key</dt><dd><code>${facts.app.apiKey}</code></dd>
          <dt>App's address</dt><dd><code>${facts.app.url ?? "none"}</code></dd>
        </dl>
      </section>`,
  });
}
