import type { GraphQLError, GraphQLFormattedError } from "graphql";

/** Validation errors in Shopify's words where apps are known to look at them; the rest in graphql-js's. */
export function shopifyWording(error: GraphQLError): GraphQLFormattedError {
  const unknownField = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(error.message);
  if (unknownField) {
    const [, fieldName, typeName] = unknownField;
    return {
      message: `Field '${fieldName}' doesn't exist on type '${typeName}'`,
      locations: error.locations,
      extensions: { code: "undefinedField", typeName, fieldName },
    };
  }
  return error.toJSON();
}
