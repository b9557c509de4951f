import type { IntrospectionQuery } from "graphql";

export type SchemaName = "admin-2026-07" | "customer-2026-07";
export declare const schemaDirectory: string;
export declare function ensureSchemas(options?: { log?: (line: string) => void }): void;
export declare function loadSchemaIntrospection(name: SchemaName): IntrospectionQuery;
