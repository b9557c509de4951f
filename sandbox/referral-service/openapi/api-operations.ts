import { z } from "zod";
import { createRequest } from "../referrals/create-request.ts";
import { patchRequest } from "../referrals/patch-referral.ts";
import { bundleList, testList } from "../wire/catalogue-wire.ts";
import { tokens } from "../wire/common.ts";
import { createdReferral, referral, referralList } from "../wire/referral-wire.ts";
import { result, resultList } from "../wire/result-wire.ts";
import { jsonType, type Operation, type Parameter } from "./operation.ts";

const versionHeader: Parameter = {
  name: "Accept",
  in: "header",
  description: "application/vnd.service.v1.1.0+json chooses version 1.1.0; the default is 1.0.0",
  schema: { type: "string", example: "application/vnd.service.v1.1.0+json" },
};

const paging: Parameter[] = [
  {
    name: "count",
    in: "query",
    description: "Page size",
    schema: { type: "integer", minimum: 1, maximum: 20, default: 20 },
  },
  {
    name: "cursor",
    in: "query",
    description: "cursor.cursor of the previous page",
    schema: { type: "string" },
  },
  {
    name: "sort",
    in: "query",
    description: "By time of creation",
    schema: { type: "string", enum: ["asc", "desc"], default: "asc" },
  },
];

const uuidParameter: Parameter = {
  name: "uuid",
  in: "path",
  description: "Identifier",
  required: true,
  schema: { type: "string", format: "uuid" },
};

const api = { tag: "API", security: "accessToken" } as const;
const answers = (schema: z.ZodType) => ({ contentType: jsonType, schema });

const tokenRequest = z.union([
  z.object({
    grant_type: z.literal("client_credentials"),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
  }),
  z.object({ grant_type: z.literal("refresh_token"), refresh_token: z.string() }),
]);

/** Token service and API (interface §4). */
export const apiOperations: Operation[] = [
  {
    method: "POST",
    path: "/oauth/token",
    id: "issueTokens",
    tag: "Token service",
    summary: "Client credentials and refresh token grants",
    request: { contentType: "application/x-www-form-urlencoded", schema: tokenRequest },
    response: answers(tokens),
    refusals: [400, 401],
  },
  {
    ...api,
    method: "POST",
    path: "/v1/referrals",
    id: "createReferral",
    summary: "Orders tests for one patient; a list is returned when medicareTests was sent",
    parameters: [versionHeader],
    request: { contentType: jsonType, schema: createRequest },
    response: answers(createdReferral),
    refusals: [400],
  },
  {
    ...api,
    method: "GET",
    path: "/v1/referrals",
    id: "listReferrals",
    summary: "Referrals of the organisation, page by page",
    parameters: [versionHeader, ...paging],
    response: answers(referralList),
    refusals: [400],
  },
  {
    ...api,
    method: "GET",
    path: "/v1/referrals/{uuid}",
    id: "getReferral",
    summary: "A referral with a fresh attachment address",
    parameters: [versionHeader, uuidParameter],
    response: answers(referral),
    refusals: [400, 404],
  },
  {
    ...api,
    method: "PATCH",
    path: "/v1/referrals/{uuid}",
    id: "updateReferral",
    summary: "Updates patient details and metadata of a CREATED or ISSUED referral",
    parameters: [versionHeader, uuidParameter],
    request: { contentType: jsonType, schema: patchRequest },
    response: answers(referral),
    refusals: [400, 404],
  },
  {
    ...api,
    method: "DELETE",
    path: "/v1/referrals/{uuid}",
    id: "deleteReferral",
    summary: "Soft delete",
    parameters: [versionHeader, uuidParameter],
    response: answers(referral),
    refusals: [400, 404],
  },
  {
    ...api,
    method: "PUT",
    path: "/v1/referrals/{uuid}",
    id: "generateResults",
    summary: "Staging only: makes dummy results; 404 in production",
    parameters: [
      versionHeader,
      uuidParameter,
      {
        name: "partial",
        in: "query",
        description: "A flag: when present, only a part of the results is made",
        schema: { type: "string" },
      },
    ],
    response: answers(referral),
    refusals: [400, 404],
  },
  {
    ...api,
    method: "GET",
    path: "/v1/results",
    id: "listResults",
    summary: "Results of the organisation, page by page",
    parameters: [versionHeader, ...paging],
    response: answers(resultList),
    refusals: [400],
  },
  {
    ...api,
    method: "GET",
    path: "/v1/results/{uuid}",
    id: "getResult",
    summary: "The full snapshot of a result",
    parameters: [versionHeader, uuidParameter],
    response: answers(result),
    refusals: [400, 404],
  },
  {
    ...api,
    method: "GET",
    path: "/v1/tests",
    id: "listTests",
    summary: "Tests that can be ordered; blood tests only in version 1.0.0",
    parameters: [versionHeader],
    response: answers(testList),
    refusals: [400],
  },
  {
    ...api,
    method: "GET",
    path: "/v1/bundles",
    id: "listBundles",
    summary: "Bundles, page by page; needs version 1.1.0",
    parameters: [versionHeader, ...paging],
    response: answers(bundleList),
    refusals: [400],
  },
];
