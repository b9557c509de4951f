import type { IntrospectionQuery } from "graphql";

export type SchemaName = "admin-2026-07" | "admin-2026-10" | "customer-2026-07";
export declare const schemaDirectory: string;
export declare function ensureSchemas(options?: { log?: (line: string) => void }): void;
export declare function loadSchemaIntrospection(name: SchemaName): IntrospectionQuery;
