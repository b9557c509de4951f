import { createApiKey } from "../console/api-key-routes.ts";
import type { ConsoleDependencies } from "../console/dependencies.ts";
import { ApiError } from "../http/api-error.ts";
import type { Route } from "../http/router.ts";
import { form, selectField, table } from "./fields.ts";
import { html } from "./html.ts";
import { organisationOf, pageRoutes } from "./page-route.ts";

/** Settings, API Keys (interface §1.8). A secret is shown once, when it is made. */
export function apiKeyPage(dependencies: ConsoleDependencies): Route[] {
  const { stores } = dependencies.core;
  return pageRoutes(dependencies, {
    path: "/api-keys",
    section: "/api-keys",
    needsOrganisation: true,
    show: (visit) => {
      const keys = stores.credentials.list(organisationOf(visit).id);
      const rows = keys.map(
        (key) =>
          html`<tr><td><code>${key.clientId}</code></td><td>${
            key.origin === "STORE_INTEGRATION" ? "Store integration" : "API"
          }</td><td>${new Date(key.createdAtMs).toISOString().slice(0, 10)}</td><td>${form(
            "/api-keys/delete",
            "Delete",
            html`<input type="hidden" name="clientId" value="${key.clientId}">`,
            true,
          )}</td></tr>`,
      );
      return {
        title: "API keys",
        lead: "A valid billing method must be on file before API access can be enabled.",
        body: html`<section class="card"><h2>Enable API access</h2>${form(
          "/api-keys",
          "Create key",
          selectField({
            name: "integration",
            label: "Used by",
            value: "api",
            choices: [
              ["api", "An own program: referrals have origin API"],
              ["store", "A store integration: referrals have origin STORE_INTEGRATION"],
            ],
          }),
        )}</section><section class="card">${
          rows.length > 0
            ? table("Keys in use", ["Client id", "Used by", "Created", "Action"], rows)
            : html`<p>No key yet. Create one above.</p>`
        }</section>`,
      };
    },
    forms: {
      "": ({ account }, fields) => {
        const body = { integration: fields.get("integration") ?? "api" };
        const key = createApiKey(dependencies, account, body);
        const details = [`client_id: ${key.client_id}`, `client_secret: ${key.client_secret}`];
        const text = "Copy the secret now; it is not shown again.";
        return { kind: "stay", notice: { tone: "info", text, details } };
      },
      delete: (visit, fields) => {
        const clientId = fields.get("clientId") ?? "";
        if (!stores.credentials.remove(organisationOf(visit).id, clientId)) {
          throw new ApiError(404, "NOT_FOUND", "No such API key");
        }
        return { kind: "go", location: "/api-keys?done=deleted" };
      },
    },
  });
}
