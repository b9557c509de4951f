import type { z } from "zod";
import type { Route } from "../http/router.ts";

/** A query or path parameter. */
export interface Parameter {
  name: string;
  in: "query" | "path" | "header";
  description: string;
  required?: boolean;
  schema: Record<string, unknown>;
}

/** How one operation of the service is described. */
export interface Operation {
  method: Route["method"];
  path: string;
  id: string;
  tag: "Token service" | "API" | "Documents" | "Web application";
  summary: string;
  /** The token that the operation needs; none when absent. */
  security?: "accessToken" | "accountToken";
  parameters?: Parameter[];
  request?: { contentType: string; schema: z.ZodType | Record<string, unknown> };
  response: { contentType: string; schema: z.ZodType | null };
  /** Refusals; 413 is added where a body is read, 401, 429 and 500 where the API is called. */
  refusals: number[];
}

/** application/json */
export const jsonType = "application/json";
