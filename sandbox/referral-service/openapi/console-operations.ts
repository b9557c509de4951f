/**
 * The operations of the web application's JSON API, for openapi.json. Long because it is a table: one entry for
 * each call of docs/sandbox.md section 1, to be read beside it.
 */
import type { z } from "zod";
import { newAccount, profileFields } from "../console/account-routes.ts";
import { newApiKey } from "../console/api-key-routes.ts";
import { newOrganisation, organisationChange } from "../console/organisation-routes.ts";
import { providerNumberFields } from "../console/provider-number-routes.ts";
import { benchFields, statusFields } from "../console/referral-routes.ts";
import { clockFields } from "../console/server-routes.ts";
import { webhookFields } from "../console/webhook-routes.ts";
import { faultSettings } from "../faults/fault-settings.ts";
import * as wire from "../wire/console-wire.ts";
import { referral } from "../wire/referral-wire.ts";
import { result } from "../wire/result-wire.ts";
import { jsonType, type Operation } from "./operation.ts";

interface Line {
  method: Operation["method"];
  path: string;
  id: string;
  summary: string;
  request?: z.ZodType;
  response: z.ZodType;
  /** Beyond 400 and 401. */
  refusals?: number[];
  query?: string[];
  open?: boolean;
}

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path" as const,
    description: "Identifier",
    required: true,
    schema: { type: "string" },
  }));

function operation(line: Line): Operation {
  const { method, id, summary, request, response, refusals = [], query = [], open } = line;
  const described: Operation = {
    method,
    path: `/api${line.path}`,
    id,
    tag: "Web application",
    summary,
    parameters: [
      ...pathParameters(line.path),
      ...query.map((name) => ({
        name,
        in: "query" as const,
        description: "Optional",
        schema: { type: "string" },
      })),
    ],
    response: { contentType: jsonType, schema: response },
    refusals: [400, 401, ...refusals],
  };
  if (!open) described.security = "accountToken";
  if (request) described.request = { contentType: jsonType, schema: request };
  return described;
}

// Longer than a file should be, since it is a table: one entry per call.
const lines: Line[] = [
  {
    method: "POST",
    path: "/accounts",
    id: "signUp",
    summary: "Creates an account",
    request: newAccount,
    response: wire.accountToken,
    refusals: [409],
    open: true,
  },
  {
    method: "POST",
    path: "/sessions",
    id: "signIn",
    summary: "Signs in; refusals have the token service's shape",
    request: newAccount,
    response: wire.accountToken,
    open: true,
  },
  {
    method: "DELETE",
    path: "/account",
    id: "deleteAccount",
    summary: "Deletes the account",
    response: wire.deleted,
    refusals: [403],
  },
  {
    method: "GET",
    path: "/profile",
    id: "getProfile",
    summary: "The profile",
    response: wire.profile,
  },
  {
    method: "PUT",
    path: "/profile",
    id: "saveProfile",
    summary: "Completes the profile",
    request: profileFields,
    response: wire.profile,
  },
  {
    method: "POST",
    path: "/profile/verify",
    id: "verifyProfile",
    summary: "Verifies the profile",
    response: wire.profile,
    refusals: [409],
  },
  {
    method: "POST",
    path: "/organisations",
    id: "createOrganisation",
    summary: "Founds an organisation; refused before the profile is verified",
    request: newOrganisation,
    response: wire.organisation,
    refusals: [403, 409],
  },
  {
    method: "GET",
    path: "/organisation",
    id: "getOrganisation",
    summary: "The organisation",
    response: wire.organisation,
    refusals: [409],
  },
  {
    method: "PATCH",
    path: "/organisation",
    id: "changeOrganisation",
    summary: "Name, billing, review and verification",
    request: organisationChange,
    response: wire.organisation,
    refusals: [409],
  },
  {
    method: "POST",
    path: "/api-keys",
    id: "createApiKey",
    summary: "Enables API access; refused without a valid billing method",
    request: newApiKey,
    response: wire.apiKey,
    refusals: [403, 409],
  },
  {
    method: "GET",
    path: "/api-keys",
    id: "listApiKeys",
    summary: "API keys without their secrets",
    response: wire.apiKeyList,
    refusals: [409],
  },
  {
    method: "DELETE",
    path: "/api-keys/{clientId}",
    id: "deleteApiKey",
    summary: "Ends API access of one key",
    response: wire.deleted,
    refusals: [404, 409],
  },
  {
    method: "PUT",
    path: "/webhook",
    id: "saveWebhook",
    summary: "Registers the endpoint for events",
    request: webhookFields,
    response: wire.webhook,
    refusals: [409],
  },
  {
    method: "GET",
    path: "/webhook",
    id: "getWebhook",
    summary: "The registered endpoint",
    response: wire.webhook,
    refusals: [404, 409],
  },
  {
    method: "DELETE",
    path: "/webhook",
    id: "deleteWebhook",
    summary: "Stops events",
    response: wire.deleted,
    refusals: [409],
  },
  {
    method: "GET",
    path: "/deliveries",
    id: "listDeliveries",
    summary: "Delivery log, newest first",
    response: wire.deliveryList,
    refusals: [409],
  },
  {
    method: "POST",
    path: "/deliveries/{id}/redeliver",
    id: "redeliver",
    summary: "Sends an event once more",
    response: wire.delivery,
    refusals: [404, 409],
  },
  {
    method: "POST",
    path: "/provider-numbers",
    id: "saveProviderNumber",
    summary: "Registers a Medicare provider number",
    request: providerNumberFields,
    response: wire.providerNumber,
    refusals: [409],
  },
  {
    method: "GET",
    path: "/provider-numbers",
    id: "listProviderNumbers",
    summary: "Registered provider numbers",
    response: wire.providerNumberList,
    refusals: [409],
  },
  {
    method: "DELETE",
    path: "/provider-numbers/{providerNumber}",
    id: "deleteProviderNumber",
    summary: "Removes a provider number",
    response: wire.deleted,
    refusals: [404, 409],
  },
  {
    method: "GET",
    path: "/referrals",
    id: "consoleReferrals",
    summary: "Newest referrals",
    response: wire.consoleReferralList,
    refusals: [409],
    query: ["before"],
  },
  {
    method: "POST",
    path: "/referrals/{uuid}/verify",
    id: "verifyReferral",
    summary: "Completes patient verification",
    response: referral,
    refusals: [404, 409],
  },
  {
    method: "POST",
    path: "/referrals/{uuid}/status",
    id: "setStatus",
    summary: "Puts a referral into any state",
    request: statusFields,
    response: referral,
    refusals: [404, 409],
  },
  {
    method: "POST",
    path: "/referrals/{uuid}/results",
    id: "labBench",
    summary: "The lab bench: directed results",
    request: benchFields,
    response: referral,
    refusals: [404, 409],
  },
  {
    method: "POST",
    path: "/results/{uuid}/release",
    id: "releaseResult",
    summary: "Ends a review",
    response: result,
    refusals: [404, 409],
  },
  {
    method: "PUT",
    path: "/faults",
    id: "setFaults",
    summary: "Replaces the faults in force",
    request: faultSettings,
    response: faultSettings,
    refusals: [409],
  },
  {
    method: "GET",
    path: "/faults",
    id: "getFaults",
    summary: "Faults in force",
    response: faultSettings,
    refusals: [409],
  },
  {
    method: "POST",
    path: "/clock",
    id: "advanceClock",
    summary: "Moves the server's time forward",
    request: clockFields,
    response: wire.clock,
  },
  {
    method: "GET",
    path: "/clock",
    id: "getClock",
    summary: "The server's time",
    response: wire.clock,
  },
  {
    method: "GET",
    path: "/stats",
    id: "getStats",
    summary: "Calls, referrals by reference number, connections",
    response: wire.stats,
    refusals: [409],
  },
  {
    method: "GET",
    path: "/mails",
    id: "listMails",
    summary: "Referral emails that were sent",
    response: wire.mailList,
    refusals: [409],
  },
];

/** `{app_url}/api` (sandbox contract). */
export const consoleOperations: Operation[] = lines.map(operation);
