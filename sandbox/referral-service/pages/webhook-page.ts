import type { ConsoleDependencies } from "../console/dependencies.ts";
import { saveWebhook } from "../console/webhook-routes.ts";
import type { Delivery } from "../events/delivery-store.ts";
import { payloadShapes, signatureSchemes } from "../events/webhook-store.ts";
import { ApiError } from "../http/api-error.ts";
import type { Route } from "../http/router.ts";
import { form, selectField, table, textField } from "./fields.ts";
import { type Html, html } from "./html.ts";
import { organisationOf, pageRoutes } from "./page-route.ts";

const logLength = 100;

const stateTones = { waiting: "warn", delivered: "good", failed: "bad", dropped: "bad" } as const;

function deliveryRow(delivery: Delivery): Html {
  const last = delivery.attempts.at(-1);
  const outcome = last ? `${last.status ?? last.error ?? ""} in ${last.ms} ms` : "not tried yet";
  return html`<tr><td>${new Date(delivery.createdAtMs).toISOString().replace("T", " ").slice(0, 19)}</td><td>${delivery.event}</td><td><a href="/referrals/${delivery.referralUuid}"><code>${delivery.referralUuid.slice(0, 8)}</code></a></td><td><span class="badge ${stateTones[delivery.state]}">${delivery.state}</span></td><td>${delivery.attempts.length}; ${outcome}</td><td>${form(
    "/webhook/redeliver",
    "Send again",
    html`<input type="hidden" name="id" value="${delivery.id}">`,
    true,
  )}</td></tr>`;
}

/** The webhook with its delivery log. */
export function webhookPage(dependencies: ConsoleDependencies): Route[] {
  const { stores } = dependencies.core;
  return pageRoutes(dependencies, {
    path: "/webhook",
    section: "/webhook",
    needsOrganisation: true,
    show: (visit) => {
      const { id } = organisationOf(visit);
      const webhook = stores.webhooks.find(id);
      const deliveries = stores.deliveries.newest(id, logLength);
      return {
        title: "Webhook",
        lead: "Events name what changed and nothing about the patient. The receiver fetches the current state over REST.",
        body: html`<section class="card">${form(
          "/webhook",
          "Save webhook",
          html`${textField({ name: "url", label: "Address", type: "url", value: webhook?.url })}
${textField({ name: "secret", label: "Secret", value: webhook?.secret, hint: "Left empty, a secret is made up." })}
${textField({ name: "previousSecret", label: "Previous secret", value: webhook?.previousSecret, hint: "While receivers change theirs, deliveries are signed with both." })}
<div class="row">${selectField({ name: "scheme", label: "Signature", value: webhook?.scheme, choices: signatureSchemes.map((scheme) => [scheme, scheme]) })}
${textField({ name: "header", label: "Header", value: webhook?.header, hint: "Left empty, the usual one of the scheme." })}
${selectField({ name: "shape", label: "Shape of the body", value: webhook?.shape, choices: payloadShapes.map((shape) => [shape, shape]) })}</div>`,
        )}${webhook && html`<p>${form("/webhook/delete", "Remove webhook", null, true)}</p>`}</section><section class="card">${
          deliveries.length > 0
            ? table(
                `Newest ${deliveries.length} deliveries`,
                ["Time (UTC)", "Event", "Referral", "State", "Attempts", "Action"],
                deliveries.map(deliveryRow),
              )
            : html`<p>Nothing was sent yet. Events appear here once a webhook is registered and a referral changes.</p>`
        }</section>`,
      };
    },
    forms: {
      "": (visit, fields) => {
        const given = [...fields].filter(([, value]) => value !== "");
        saveWebhook(dependencies, organisationOf(visit).id, Object.fromEntries(given));
        return { kind: "go", location: "/webhook?done=saved" };
      },
      delete: (visit) => {
        stores.webhooks.remove(organisationOf(visit).id);
        return { kind: "go", location: "/webhook?done=deleted" };
      },
      redeliver: (visit, fields) => {
        const delivery = stores.deliveries.find(organisationOf(visit).id, fields.get("id") ?? "");
        if (!delivery) throw new ApiError(404, "NOT_FOUND", "No such delivery");
        dependencies.deliverer.redeliver(delivery);
        return { kind: "go", location: "/webhook?done=sent" };
      },
    },
  });
}
