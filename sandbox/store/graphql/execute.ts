import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from "graphql";
import type { Caller } from "./context.ts";
import { operationCost } from "./cost.ts";
import { createFieldResolver } from "./field-resolver.ts";
import { tooManyEntries } from "./input-size.ts";
import { mutationRoot } from "./mutation-root.ts";
import { queryRoot } from "./query-root.ts";
import { type AdminSchema, loadAdminSchema } from "./schema.ts";
import { maxSingleCost, type Throttle } from "./throttle.ts";
import { shopifyWording } from "./validation-wording.ts";

export interface GraphqlRequest {
  query: string;
  variables?: Record<string, unknown> | null;
  operationName?: string | null;
}

export interface AdminExecutor {
  /** The response body: `data`, `errors`, `extensions.cost`. `forceThrottle` answers as if the bucket were empty. */
  run(
    caller: Caller,
    request: GraphqlRequest,
    throttle: Throttle,
    forceThrottle?: boolean,
  ): Promise<Record<string, unknown>>;
}

const maxRemembered = 500;

export function createAdminExecutor(): AdminExecutor {
  const admin = loadAdminSchema();
  const fieldResolver = createFieldResolver(admin);
  const checked = new Map<string, DocumentNode | readonly GraphQLError[]>();
  const check = (query: string) => {
    const known = checked.get(query);
    if (known) return known;
    const result = parseAndValidate(admin, query);
    if (checked.size >= maxRemembered) checked.clear();
    checked.set(query, result);
    return result;
  };

  return {
    async run(caller, request, throttle, forceThrottle = false) {
      const document = check(request.query);
      if (!("kind" in document)) return { errors: document.map(shopifyWording) };
      const operation = operationOf(document, request.operationName);
      if (!operation)
        return { errors: [{ message: "No operation named so, or several and no name." }] };
      const variables = request.variables ?? {};
      const tooMany = tooManyEntries(document, variables);
      if (tooMany) return { errors: [tooMany] };
      const cost = (data?: unknown) =>
        operationCost(admin.schema, document, operation, variables, data);
      const requestedQueryCost = cost();
      const costs = (actualQueryCost: number | null) => ({
        cost: { requestedQueryCost, actualQueryCost, throttleStatus: throttle.status() },
      });
      if (requestedQueryCost > maxSingleCost) {
        return { errors: [tooDear(requestedQueryCost)], extensions: costs(null) };
      }
      if (forceThrottle || !throttle.take(requestedQueryCost)) {
        return { errors: [throttled], extensions: costs(null) };
      }
      const root = operation.operation === "mutation" ? mutationRoot(caller) : queryRoot(caller);
      const result: ExecutionResult = await execute({
        schema: admin.schema,
        document,
        rootValue: root,
        contextValue: caller,
        variableValues: variables,
        operationName: request.operationName,
        fieldResolver,
      });
      const actualQueryCost = Math.min(requestedQueryCost, cost(result.data ?? {}));
      throttle.giveBack(requestedQueryCost - actualQueryCost);
      return { ...result, extensions: costs(actualQueryCost) };
    },
  };
}

function parseAndValidate(
  admin: AdminSchema,
  query: string,
): DocumentNode | readonly GraphQLError[] {
  try {
    const document = parse(query);
    const errors = validate(admin.schema, document);
    return errors.length > 0 ? errors : document;
  } catch (error) {
    return [error instanceof GraphQLError ? error : new GraphQLError(String(error))];
  }
}

function operationOf(
  document: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode | undefined {
  const operations = document.definitions.filter(
    (definition): definition is OperationDefinitionNode =>
      definition.kind === Kind.OPERATION_DEFINITION,
  );
  if (name == null) return operations.length === 1 ? operations[0] : undefined;
  return operations.find((operation) => operation.name?.value === name);
}

const throttled = {
  message: "Throttled",
  extensions: {
    code: "THROTTLED",
    documentation: "https://shopify.dev/api/usage/rate-limits",
  },
};

const tooDear = (cost: number) => ({
  message: `Query cost is ${cost}, which exceeds the single query max cost limit (${maxSingleCost}).`,
  extensions: { code: "MAX_COST_EXCEEDED", cost, maxCost: maxSingleCost },
});
