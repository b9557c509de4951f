import { type DocumentNode, GraphQLError, visit } from "graphql";

/** Shopify takes no list of more entries, wherever in an operation it stands. */
const maxEntries = 250;

/** Why Shopify refuses the operation for the length of a list, in its text or its variables; undefined when it does not. */
export function tooManyEntries(
  document: DocumentNode,
  variables: Record<string, unknown>,
): GraphQLError | undefined {
  let longest = longestIn(variables);
  visit(document, {
    ListValue: ({ values }) => {
      longest = Math.max(longest, values.length);
    },
  });
  if (longest <= maxEntries) return undefined;
  const message = `The input array size of ${longest} is greater than the maximum allowed of ${maxEntries}.`;
  return new GraphQLError(message, { extensions: { code: "MAX_INPUT_SIZE_EXCEEDED" } });
}

function longestIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Object.values(value).reduce((most, part) => Math.max(most, longestIn(part)), own);
}
