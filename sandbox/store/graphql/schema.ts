import { buildClientSchema, type GraphQLSchema } from "graphql";
import { z } from "zod";
import { loadSchemaIntrospection } from "../../../tools/shopify-schema.mjs";

/** Shopify's published Admin schema of one API version, with what it says beyond GraphQL itself. */
export interface AdminSchema {
  schema: GraphQLSchema;
  /** Access that a type (`Order`) or a field (`Mutation.orderUpdate`) needs, in Shopify's words. */
  requiredAccess: ReadonlyMap<string, string>;
  /** Fields with protected customer data (`Customer.email`) → kind of it: name, email, phone, address. */
  protectedContent: ReadonlyMap<string, string>;
}

export const adminApiVersion = "2026-07";

const annotated = z.object({
  __schema: z.object({
    types: z.array(
      z.object({
        name: z.string(),
        requiredAccess: z.string().nullish(),
        fields: z
          .array(
            z.object({
              name: z.string(),
              requiredAccess: z.string().nullish(),
              protectedContent: z.string().nullish(),
            }),
          )
          .nullable(),
      }),
    ),
  }),
});

let loaded: AdminSchema | undefined;

/** Loads the schema once, in about half a second; fetches it first when it is missing. */
export function loadAdminSchema(): AdminSchema {
  loaded ??= build();
  return loaded;
}

function build(): AdminSchema {
  const introspection = loadSchemaIntrospection(`admin-${adminApiVersion}`);
  const requiredAccess = new Map<string, string>();
  const protectedContent = new Map<string, string>();
  for (const type of annotated.parse(introspection).__schema.types) {
    if (type.requiredAccess) requiredAccess.set(type.name, type.requiredAccess);
    for (const field of type.fields ?? []) {
      const name = `${type.name}.${field.name}`;
      if (field.requiredAccess) requiredAccess.set(name, field.requiredAccess);
      if (field.protectedContent) protectedContent.set(name, field.protectedContent);
    }
  }
  const schema = buildClientSchema(introspection, { assumeValid: true });
  return { schema, requiredAccess, protectedContent };
}
