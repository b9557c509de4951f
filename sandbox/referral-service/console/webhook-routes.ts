import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Delivery } from "../events/delivery-store.ts";
import { defaultHeaders } from "../events/sign-delivery.ts";
import { payloadShapes, signatureSchemes, type Webhook } from "../events/webhook-store.ts";
import { json } from "../http/answer.ts";
import { ApiError } from "../http/api-error.ts";
import type { Route } from "../http/router.ts";
import { parsePayload } from "../referrals/create-request.ts";
import { consoleRoute, requireOrganisation } from "./console-call.ts";
import type { ConsoleDependencies } from "./dependencies.ts";

/** How many deliveries the log shows. */
const logLength = 500;

export const webhookFields = z.object({
  url: z.url({ protocol: /^https?$/ }).max(2000),
  secret: z.string().min(1).max(500).optional(),
  previousSecret: z.string().min(1).max(500).nullish(),
  scheme: z.enum(signatureSchemes).default("standard-webhooks"),
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,60}$/, "must be a header name")
    .optional(),
  shape: z.enum(payloadShapes).default("flat"),
});

/** Registers the organisation's endpoint; a secret is made up when none is given. */
export function saveWebhook(
  { core }: ConsoleDependencies,
  organisationId: number,
  body: unknown,
): Webhook {
  const fields = parsePayload(webhookFields, body);
  const earlier = core.stores.webhooks.find(organisationId);
  const webhook: Webhook = {
    url: fields.url,
    secret: fields.secret ?? earlier?.secret ?? `whsec_${randomBytes(24).toString("base64")}`,
    previousSecret: fields.previousSecret ?? null,
    scheme: fields.scheme,
    header: fields.header?.toLowerCase() ?? null,
    shape: fields.shape,
  };
  core.stores.webhooks.save(organisationId, webhook);
  return webhook;
}

function viewWebhook(webhook: Webhook) {
  return { ...webhook, header: webhook.header ?? defaultHeaders[webhook.scheme] };
}

/** The wire form of a delivery in the log; newest attempt last. */
function viewDelivery(delivery: Delivery) {
  const last = delivery.attempts.at(-1);
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    event: delivery.event,
    referralUuid: delivery.referralUuid,
    resultUuid: delivery.resultUuid,
    createdAt: new Date(delivery.createdAtMs).toISOString(),
    state: delivery.state,
    status: last?.status ?? null,
    attempts: delivery.attempts,
    nextAttemptAt:
      delivery.nextAttemptAtMs === null ? null : new Date(delivery.nextAttemptAtMs).toISOString(),
  };
}

/** Webhook, delivery log and redelivery of `{app_url}/api`. */
export function webhookRoutes(dependencies: ConsoleDependencies): Route[] {
  const { core, deliverer } = dependencies;
  return [
    consoleRoute(dependencies, "PUT", "/webhook", ({ account, body }) =>
      json(viewWebhook(saveWebhook(dependencies, requireOrganisation(core, account).id, body))),
    ),
    consoleRoute(dependencies, "GET", "/webhook", ({ account }) => {
      const webhook = core.stores.webhooks.find(requireOrganisation(core, account).id);
      if (!webhook) throw new ApiError(404, "NOT_FOUND", "No webhook is registered");
      return json(viewWebhook(webhook));
    }),
    consoleRoute(dependencies, "DELETE", "/webhook", ({ account }) => {
      core.stores.webhooks.remove(requireOrganisation(core, account).id);
      return json({ deleted: true });
    }),
    consoleRoute(dependencies, "GET", "/deliveries", ({ account }) => {
      const { id } = requireOrganisation(core, account);
      return json(core.stores.deliveries.newest(id, logLength).map(viewDelivery));
    }),
    consoleRoute(dependencies, "POST", "/deliveries/{id}/redeliver", ({ account, params }) => {
      const { id } = requireOrganisation(core, account);
      const delivery = core.stores.deliveries.find(id, params.id ?? "");
      if (!delivery) throw new ApiError(404, "NOT_FOUND", "No such delivery");
      deliverer.redeliver(delivery);
      return json({ ...viewDelivery(delivery), state: "waiting" });
    }),
  ];
}
