import { type Html, html } from "../html.ts";
import type { StoreAddress } from "../ports.ts";

/** A postal address, one line below the other. */
export function addressLines(address: StoreAddress): Html {
  const lines = [
    `${address.firstName} ${address.lastName}`,
    address.company,
    address.address1,
    address.address2,
    `${address.city} ${address.provinceCode} ${address.zip}`,
    address.countryCode === "AU" ? "Australia" : address.countryCode,
  ].filter(Boolean);
  return html`<address>${lines.map((line) => html`${line}<br />`)}</address>`;
}
