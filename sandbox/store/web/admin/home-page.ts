import { adminAppBase, adminBase, type WebContext } from "../context.ts";
import { type Html, html } from "../html.ts";
import { adminPage } from "./layout.ts";

export async function adminHomePage({ facts, ports }: WebContext): Promise<Html> {
  const [orders, products, installed] = await Promise.all([
    ports.orders(),
    ports.products(),
    ports.appInstalled(),
  ]);
  const base = adminBase(facts);
  const tile = (path: string, title: string, text: string) =>
    html`<li class="card tile"><h2><a href="${path}">${title}</a></h2><p>${text}</p></li>`;
  return adminPage({
    facts,
    place: "home",
    title: "Home",
    content: html`<h1>${facts.shopName}</h1>
      <p class="lead">
        This is the sandbox's own admin for <code>${facts.shop}</code>. It stands in for Shopify's on a laptop.
      </p>
      <ul class="tiles">
        ${tile(
          adminAppBase(facts),
          facts.app.name,
          installed
            ? "Installed. Open it here, inside the admin."
            : "Not installed yet: open to install it.",
        )}
        ${tile(`${base}/orders`, "Orders", `${orders.length} so far, newest first.`)}
        ${tile(`${base}/products`, "Products", `${products.length} in the catalogue.`)}
        ${tile("/", "Online store", "Buy something as a shopper would.")}
        ${tile("/sandbox/mail", "Inbox", "Every mail that the store and the app have sent.")}
        ${tile("/sandbox/webhooks", "Webhooks", "What the store told the app, and what it answered.")}
      </ul>`,
  });
}
