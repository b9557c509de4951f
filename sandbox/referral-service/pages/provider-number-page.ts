import type { ConsoleDependencies } from "../console/dependencies.ts";
import { saveProviderNumber } from "../console/provider-number-routes.ts";
import type { Route } from "../http/router.ts";
import { checkbox, form, table, textField } from "./fields.ts";
import { html } from "./html.ts";
import { organisationOf, pageRoutes } from "./page-route.ts";

const yesNo = (yes: boolean) =>
  yes ? html`<span class="badge good">Yes</span>` : html`<span class="badge warn">No</span>`;

/** Settings, Provider Numbers (interface §4.2 rule 9). */
export function providerNumberPage(dependencies: ConsoleDependencies): Route[] {
  const { providerNumbers } = dependencies.core.stores;
  return pageRoutes(dependencies, {
    path: "/provider-numbers",
    section: "/provider-numbers",
    needsOrganisation: true,
    show: (visit) => {
      const rows = providerNumbers
        .list(organisationOf(visit).id)
        .map(
          (entry) =>
            html`<tr><td><code>${entry.providerNumber}</code></td><td>${entry.name}</td><td>${entry.address}</td><td>${yesNo(entry.signature)}</td><td>${yesNo(entry.routing)}</td></tr>`,
        );
      return {
        title: "Provider numbers",
        lead: "Medicare tests can be ordered under a provider number that is registered here and has a signature on file.",
        body: html`<section class="card"><h2>Register or change</h2>${form(
          "/provider-numbers",
          "Save provider number",
          html`${textField({ name: "providerNumber", label: "Provider number", hint: "Eight characters: six digits, the practice location and a check character" })}
${textField({ name: "name", label: "Name of the practitioner" })}
${textField({ name: "address", label: "Address of the practice" })}
<fieldset><legend>On file</legend>${checkbox({ name: "signature", label: "The practitioner's signature has been captured", checked: true })}
${checkbox({ name: "routing", label: "The laboratory routes this practitioner's Medicare results back", checked: false })}</fieldset>`,
        )}</section><section class="card">${
          rows.length > 0
            ? table(
                "Registered",
                ["Number", "Practitioner", "Address", "Signature", "Routing"],
                rows,
              )
            : html`<p>No provider number yet. Register one above.</p>`
        }</section>`,
      };
    },
    forms: {
      "": (visit, fields) => {
        saveProviderNumber(dependencies, organisationOf(visit).id, {
          providerNumber: fields.get("providerNumber") ?? "",
          name: fields.get("name") ?? "",
          address: fields.get("address") ?? "",
          signature: fields.has("signature"),
          routing: fields.has("routing"),
        });
        return { kind: "go", location: "/provider-numbers?done=saved" };
      },
    },
  });
}
