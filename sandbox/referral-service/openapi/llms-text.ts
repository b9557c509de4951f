import type { ServiceAddresses } from "../core.ts";
import { operations } from "./document.ts";

/** The text of GET /llms.txt (interface §4.6): what the service does and how to call it. */
export function llmsText({ baseUrl, authUrl, appUrl }: ServiceAddresses): string {
  const list = operations
    .filter((operation) => operation.tag !== "Web application")
    .map(({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`)
    .join("\n");
  return `# Referral Ordering and Results Service

> A REST API to order pathology tests for patients (referrals) and to collect their results. JSON over HTTP, bearer tokens, all data scoped to the organisation that owns the credentials.

## Start

1. In the web application at ${appUrl}: create an account, complete and verify the profile, create an organisation, add a billing method, enable API access. You receive client_id and client_secret.
2. \`POST ${authUrl}/oauth/token\` with content type application/x-www-form-urlencoded and \`grant_type=client_credentials\`; client id and secret as HTTP Basic or in the body. Tokens live for an hour; refresh with \`grant_type=refresh_token\`, which gives a new refresh token.
3. Call ${baseUrl} with \`Authorization: Bearer <access_token>\`. Choose version 1.1.0 with \`Accept: application/vnd.service.v1.1.0+json\`; the default is 1.0.0, which knows blood tests only and neither bundles nor Medicare.

## Operations

${list}

The OpenAPI document is at ${baseUrl}/openapi.json.

## Rules worth knowing

- \`POST /v1/referrals\` has no idempotency key and can take more than 10 seconds. After a lost answer, look for your referenceNumber in \`GET /v1/referrals\` before ordering again.
- A create with medicareTests returns an array: the commercial referral, if any, then the Medicare one.
- Lists: \`count\` from 1 to 20, \`sort\` asc or desc, and \`cursor\`; go on until cursor.resultCount is less than count.
- \`referralAttachment\` and \`resultAttachment\` are signed addresses that expire; fetch the resource again for a fresh one.
- Webhook events carry an event id, a type and uuids. They are hints: fetch the resource, and overwrite what you stored.
- \`PUT /v1/referrals/{uuid}\` makes dummy results in staging, with \`?partial\` only a part; in production it answers 404.
- Errors: \`{"error": true, "code", "message", "errorList"}\`; the token service answers \`{"error": true, "code", "type", "message"}\` with a numeric code.
`;
}
