import { z } from "zod";
import { apiError, tokenError } from "../wire/common.ts";
import { apiOperations } from "./api-operations.ts";
import { consoleOperations } from "./console-operations.ts";
import { documentOperations } from "./document-operations.ts";
import type { Operation } from "./operation.ts";

/** Every operation that the service answers as an interface; pages for people are not among them. */
export const operations: Operation[] = [
  ...apiOperations,
  ...documentOperations,
  ...consoleOperations,
];

const refusalTexts: Record<number, string> = {
  400: "Invalid parameters or payload",
  401: "Missing or invalid access token",
  403: "Not allowed",
  404: "Resource does not exist",
  409: "Something has to be done first, or has been done already",
  413: "The body is too large",
  429: "Too many requests; see Retry-After",
  500: "Internal error",
};

function jsonSchema(schema: z.ZodType, io: "input" | "output"): unknown {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
  });
  const text = JSON.stringify(rest).replaceAll('"#/$defs/', '"#/components/schemas/');
  const parsed: unknown = JSON.parse(text);
  return parsed;
}

/** Named schemas, gathered from what the operations answer. */
function components(): Record<string, unknown> {
  const schemas: Record<string, unknown> = {};
  const collect = (schema: z.ZodType) => {
    const converted = jsonSchema(schema, "output");
    if (typeof converted !== "object" || converted === null || !("$defs" in converted)) return;
    Object.assign(schemas, converted.$defs);
  };
  for (const { response } of operations) if (response.schema) collect(z.array(response.schema));
  collect(z.array(apiError));
  collect(z.array(tokenError));
  return schemas;
}

function withoutDefs(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null || !("$defs" in schema)) return schema;
  const { $defs: _defs, ...rest } = schema;
  return rest;
}

/** A schema that refers to the named ones. */
function reference(schema: z.ZodType): unknown {
  const list = withoutDefs(jsonSchema(z.array(schema), "output"));
  return typeof list === "object" && list !== null && "items" in list ? list.items : {};
}

function refusal(operation: Operation, status: number): unknown {
  const ofTokenService = operation.id === "issueTokens" || operation.id === "signIn";
  const schema = ofTokenService && status !== 413 ? z.union([tokenError, apiError]) : apiError;
  return {
    description: refusalTexts[status] ?? "Refused",
    content: { "application/json": { schema: reference(schema) } },
  };
}

function refusalsOf(operation: Operation): number[] {
  const all = [...operation.refusals];
  if (operation.request) all.push(413);
  if (operation.security === "accessToken") all.push(401, 429, 500);
  return [...new Set(all)].sort((a, b) => a - b);
}

function requestSchema(operation: Operation): unknown {
  const schema = operation.request?.schema;
  return schema instanceof z.ZodType ? jsonSchema(schema, "input") : schema;
}

function describe(operation: Operation): unknown {
  const { response, request, security } = operation;
  const content = response.schema
    ? { [response.contentType]: { schema: reference(response.schema) } }
    : { [response.contentType]: {} };
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    security: security ? [{ [security]: [] }] : [],
    parameters: operation.parameters ?? [],
    ...(request && {
      requestBody: {
        required: true,
        content: { [request.contentType]: { schema: requestSchema(operation) } },
      },
    }),
    responses: {
      200: { description: "Success", content },
      ...Object.fromEntries(
        refusalsOf(operation).map((status) => [status, refusal(operation, status)]),
      ),
    },
  };
}

/** The OpenAPI 3.1 document of the service at the given address. */
export function openApiDocument(baseUrl: string): unknown {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Referral Ordering and Results Service",
      version: "1.1.0",
      description:
        "Orders pathology tests for patients and collects the results. Events are hints; the REST answer is the truth.",
    },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas: components(),
      securitySchemes: {
        accessToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        accountToken: { type: "http", scheme: "bearer" },
      },
    },
  };
}
