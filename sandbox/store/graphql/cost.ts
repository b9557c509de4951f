import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";

/**
 * Computes an operation's cost by Shopify's published rule: an object 1 (for each id that it is asked for by), a scalar 0, a connection 2 and its objects
 * as often as `first` or `last` asks for, a mutation 10. The real calculation is not published further; figures are
 * close, not equal. Given the answer's `data`, the cost of what was really returned.
 */
export function operationCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
  data?: unknown,
): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fragments.set(definition.name.value, definition);
  }
  const isMutation = operation.operation === "mutation";
  const root = isMutation ? schema.getMutationType() : schema.getQueryType();
  if (!root) return 0;
  const walk: Walk = { schema, fragments, variables };
  return selectionCost(walk, root, operation.selectionSet, data) + (isMutation ? 10 : 0);
}

type Arguments = readonly { name: { value: string }; value: ValueNode }[] | undefined;

interface Walk {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  variables: Record<string, unknown>;
}

function selectionCost(
  walk: Walk,
  parent: GraphQLCompositeType,
  selections: SelectionSetNode,
  data: unknown,
): number {
  let cost = 0;
  for (const selection of selections.selections) {
    if (selection.kind !== Kind.FIELD) {
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? walk.fragments.get(selection.name.value)
          : selection;
      const condition = fragment?.typeCondition?.name.value;
      const type = condition === undefined ? parent : walk.schema.getType(condition);
      if (fragment && isCompositeType(type)) {
        cost += selectionCost(walk, type, fragment.selectionSet, data);
      }
      continue;
    }
    const field = "getFields" in parent ? parent.getFields()[selection.name.value] : undefined;
    const type = field && getNamedType(field.type);
    if (!type || !isCompositeType(type) || !selection.selectionSet) continue;
    const key = selection.alias?.value ?? selection.name.value;
    const value = data === undefined ? undefined : isRecord(data) ? data[key] : null;
    if (value === null) continue;
    if (isObjectType(type) && type.name.endsWith("Connection")) {
      const size = argumentOf(walk, selection.arguments, ["first", "last"]) ?? 1;
      cost += 2 + connectionCost(walk, type, selection.selectionSet, size, value);
    } else {
      const asked = value === undefined ? lengthOf(walk, selection.arguments, "ids") : 1;
      const items = Array.isArray(value) ? value : Array(asked).fill(value);
      for (const item of items) cost += 1 + selectionCost(walk, type, selection.selectionSet, item);
    }
  }
  return cost;
}

/** The dearest of `nodes`, `edges` and the rest, `size` times or as often as objects came back. */
function connectionCost(
  walk: Walk,
  type: GraphQLCompositeType,
  selections: SelectionSetNode,
  size: number,
  data: unknown,
): number {
  if (data !== undefined) {
    const { pageInfo: _free, ...returned } = isRecord(data) ? data : {};
    return Math.ceil(selectionCost(walk, type, selections, returned));
  }
  const each = selectionCost(walk, type, selections, undefined);
  const asksPageInfo = selections.selections.some(
    (selection) => selection.kind === Kind.FIELD && selection.name.value === "pageInfo",
  );
  return (each - (asksPageInfo ? 1 : 0)) * size;
}

function argumentOf(walk: Walk, given: Arguments, names: string[]): number | undefined {
  for (const argument of given ?? []) {
    if (!names.includes(argument.name.value)) continue;
    const { value } = argument;
    if (value.kind === Kind.INT) return Number(value.value);
    if (value.kind === Kind.VARIABLE) {
      const variable = walk.variables[value.name.value];
      if (typeof variable === "number") return variable;
    }
  }
  return undefined;
}

/** How many things a list argument names: `nodes(ids:)` answers an object for each. */
function lengthOf(walk: Walk, given: Arguments, name: string): number {
  const value = given?.find((argument) => argument.name.value === name)?.value;
  if (value?.kind === Kind.LIST) return value.values.length;
  const variable = value?.kind === Kind.VARIABLE ? walk.variables[value.name.value] : undefined;
  return Array.isArray(variable) ? variable.length : 1;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
