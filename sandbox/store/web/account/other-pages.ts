import type { WebContext } from "../context.ts";
import { extensionsOf, type UiExtension } from "../extensions/discover.ts";
import { accountData } from "../extensions/order-data.ts";
import { extensionSlot } from "../extensions/slot.ts";
import { type Html, html } from "../html.ts";
import { addressLines } from "../pages/address.ts";
import type { StoreCustomer } from "../ports.ts";
import { accountPage } from "./layout.ts";

/** A page that belongs to an extension alone. */
export async function extensionPage(
  web: WebContext,
  input: { extension: UiExtension; customer: StoreCustomer; entryPath: string },
): Promise<Html> {
  const { extension, customer, entryPath } = input;
  const slot = await extensionSlot(
    web,
    {
      extension,
      surface: "customer-account",
      data: accountData(web.facts, customer.id),
      context: {},
      loginPath: "/account/login",
      entryPath,
    },
    0,
  );
  return accountPage(web, {
    title: extension.name,
    customer,
    current: `/account/pages/${extension.handle}`,
    hosts: extension.bundleFile !== null,
    content: slot,
  });
}

export async function profilePage(web: WebContext, customer: StoreCustomer): Promise<Html> {
  const legacy = (await web.ports.customerAccounts()) === "legacy";
  const blocks =
    legacy || !(await web.ports.appInstalled())
      ? []
      : await extensionsOf(web.extensionsDir, "customer-account.profile.block.render");
  const data = accountData(web.facts, customer.id);
  const slots = await Promise.all(
    blocks.map((extension, index) =>
      extensionSlot(
        web,
        { extension, surface: "customer-account", data, context: {}, loginPath: "/account/login" },
        index,
      ),
    ),
  );
  const name = [customer.firstName, customer.lastName].filter(Boolean).join(" ");
  return accountPage(web, {
    title: "Profile",
    customer,
    current: "/account/profile",
    hosts: slots.length > 0,
    content: html`<h1>Profile</h1>
      <section class="card">
        <dl class="facts">
          <dt>Name</dt><dd>${name || "—"}</dd>
          <dt>Email address</dt><dd>${customer.email ?? "—"}</dd>
          <dt>Phone</dt><dd>${customer.phone ?? "—"}</dd>
          <dt>Address</dt><dd>${customer.defaultAddress ? addressLines(customer.defaultAddress) : "—"}</dd>
        </dl>
      </section>
      ${slots}`,
  });
}

export function missingPage(web: WebContext, customer: StoreCustomer | null): Promise<Html> {
  return accountPage(web, {
    title: "Not found",
    customer,
    content: html`<section class="card">
      <h1>We could not find that</h1>
      <p>It may belong to another account.</p>
      <p><a class="button" href="/account/orders">Your orders</a></p>
    </section>`,
  });
}
