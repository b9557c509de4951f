import {
  buildClientSchema,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  type IntrospectionQuery,
  NoDeprecatedCustomRule,
  parse,
  specifiedRules,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { z } from "zod";

/** Shopify's schema says beside each type and field which access it asks for, in a sentence. */
const accessSchema = z.object({
  __schema: z.object({
    types: z.array(
      z.object({
        name: z.string(),
        requiredAccess: z.string().nullish(),
        fields: z
          .array(z.object({ name: z.string(), requiredAccess: z.string().nullish() }))
          .nullish(),
      }),
    ),
  }),
});

export interface OperationRules {
  schema: GraphQLSchema;
  /** "Type" or "Type.field" → scopes of which one is enough. */
  access: ReadonlyMap<string, string[]>;
}

export function rulesOf(introspection: IntrospectionQuery): OperationRules {
  const access = new Map<string, string[]>();
  const note = (name: string, sentence: string | null | undefined) => {
    const scopes = [...(sentence ?? "").matchAll(/`((?:read|write)_[a-z_]+)` access scope/g)];
    if (scopes.length > 0)
      access.set(
        name,
        scopes.map(([, scope]) => scope ?? ""),
      );
  };
  for (const type of accessSchema.parse(introspection).__schema.types) {
    note(type.name, type.requiredAccess);
    for (const field of type.fields ?? []) note(`${type.name}.${field.name}`, field.requiredAccess);
  }
  return { schema: buildClientSchema(introspection, { assumeValid: true }), access };
}

/** Lists the faults of an operation: syntax, unknown or deprecated fields, scopes that were not granted. */
export function faultsOf(
  text: string,
  granted: readonly string[],
  rules: OperationRules,
): string[] {
  let document: DocumentNode;
  try {
    document = parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) return [error.message];
    throw error;
  }
  const faults = validate(rules.schema, document, [...specifiedRules, NoDeprecatedCustomRule]);
  return [...faults.map((fault) => fault.message), ...missingScopes(document, granted, rules)];
}

function missingScopes(
  document: DocumentNode,
  granted: readonly string[],
  { schema, access }: OperationRules,
): string[] {
  // A scope to write is a scope to read.
  const allowed = new Set([
    ...granted,
    ...granted.map((scope) => scope.replace(/^write_/, "read_")),
  ]);
  const faults = new Set<string>();
  const check = (name: string) => {
    const scopes = access.get(name);
    if (scopes && !scopes.some((scope) => allowed.has(scope)))
      faults.add(`${name} needs ${scopes.join(" or ")}`);
  };
  const typeInfo = new TypeInfo(schema);
  const Field = () => {
    const [parent, field] = [typeInfo.getParentType(), typeInfo.getFieldDef()];
    if (!parent || !field) return;
    check(`${parent.name}.${field.name}`);
    check(getNamedType(field.type).name);
  };
  visit(document, visitWithTypeInfo(typeInfo, { Field }));
  return [...faults];
}
