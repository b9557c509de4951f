import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  getNamedType,
  Kind,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
  validate,
} from "graphql";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Json, type OpenStore, openStore } from "../testing/open-store.ts";
import { customerId, placeOrder, productId, variantId } from "../testing/seeded.ts";
import { loadAdminSchema } from "./schema.ts";

// Every GraphQL operation in the app's source is run on the store as the app's own installation would run it: with the
// scopes of shopify.app.toml, the optional ones granted, and no others. The source is read as text; nothing of the app is
// imported.

const app = join(import.meta.dirname, "../../../app");

interface Operation {
  file: string;
  name: string;
  text: string;
  definition: OperationDefinitionNode;
}

function operationsOfApp(): Operation[] {
  return globSync("**/*.{ts,tsx}", { cwd: app })
    .filter((file) => !file.startsWith("generated") && !/\.test\.tsx?$/.test(file))
    .flatMap((file) => graphqlTexts(file).map((text) => ({ file, text })))
    .map(({ file, text }) => {
      const definition = parse(text).definitions.find(
        (candidate): candidate is OperationDefinitionNode =>
          candidate.kind === Kind.OPERATION_DEFINITION,
      );
      if (!definition) throw new Error(`${file} holds a GraphQL text without an operation`);
      return { file, text, definition, name: definition.name?.value ?? file };
    });
}

function graphqlTexts(file: string): string[] {
  const content = readFileSync(join(app, file), "utf8");
  // Reading a file as TypeScript takes long, and most have none.
  if (!content.includes("#graphql")) return [];
  const source = ts.createSourceFile(
    file,
    content,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const texts: string[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isNoSubstitutionTemplateLiteral(node) && /^\s*#graphql/.test(node.text)) {
      texts.push(node.text);
    }
    if (ts.isTemplateExpression(node) && /^\s*#graphql/.test(node.head.text)) {
      throw new Error(`${file}: an operation pieced together cannot be checked; write it whole`);
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  return texts;
}

let store: OpenStore;
let accessToken: string;
let samples: Record<string, unknown>;
beforeAll(async () => {
  store = await openStore();
  accessToken = (await store.session()).accessToken ?? "";
  const { optionalScopes, flowTriggers } = store.platform.config;
  if (optionalScopes.length > 0) await store.ok("POST", "/app/scopes", { grant: optionalScopes });
  const order = await placeOrder(store);
  const [trigger] = flowTriggers;
  const { data } = store.platform;
  const open = data.orders.all().find(({ name }) => name === order.name)?.fulfillmentOrders[0];
  samples = {
    order: order.id,
    product: await productId(store, "Iron Studies"),
    productVariant: await variantId(store),
    customer: await customerId(store),
    node: order.id,
    tagsAdd: order.id,
    tagsRemove: order.id,
    handle: trigger?.handle,
    payload: Object.fromEntries(
      (trigger?.fields ?? []).map(({ type, property }) => [
        property,
        type === "order_reference" ? Number(order.id.split("/").at(-1)) : "text",
      ]),
    ),
    fulfillmentOrder: `gid://shopify/FulfillmentOrder/${open?.id}`,
    // The owner of a metafield is a variable of its own: the app writes to products.
    owner: await productId(store, "Iron Studies"),
  };
});
afterAll(() => store.close());

/** Values for an operation's required variables, by what they are for. */
function variablesOf({ definition, text, name }: Operation): Json {
  const required = (definition.variableDefinitions ?? []).filter(
    (variable) => variable.type.kind === Kind.NON_NULL_TYPE && !variable.defaultValue,
  );
  return Object.fromEntries(
    required.map((variable) => {
      const key = variable.variable.name.value;
      const type = typeFromAST(loadAdminSchema().schema, Object(variable.type));
      return [key, sample(String(getNamedType(type)), key, text, name)];
    }),
  );
}

function sample(type: string, variable: string, text: string, operation: string): unknown {
  const use = new RegExp(`(\\w+)\\([^)]*\\w+:\\s*\\$${variable}\\b`).exec(text)?.[1] ?? "";
  switch (type) {
    case "ID":
      return use === "nodes"
        ? [samples.productVariant]
        : (samples[use] ?? fail(operation, variable));
    case "Int":
      return 10;
    case "JSON":
      return samples.payload;
    case "FulfillmentInput":
      return {
        lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: samples.fulfillmentOrder }],
      };
    case "MetafieldIdentifierInput":
      return [{ ownerId: samples.owner, namespace: "$app", key: "status" }];
    case "String":
      if (variable === "handle") return samples.handle;
      return use.startsWith("tags") ? ["form ready"] : "status:active";
    case "MetafieldsSetInput":
      return [
        {
          ownerId: samples.owner,
          namespace: "$app",
          key: "status",
          type: "single_line_text_field",
          value: "form ready",
        },
      ];
    default:
      return fail(operation, variable);
  }
}

function fail(operation: string, variable: string): never {
  throw new Error(`no sample for $${variable} of ${operation}: add one to this test`);
}

const operations = operationsOfApp();

it("finds the app's operations", () => {
  expect(operations.length).toBeGreaterThan(1);
});

it.each(operations)("$name ($file) is valid and answered without an error", async (operation) => {
  const { schema } = loadAdminSchema();
  expect(validate(schema, parse(operation.text)).map(String)).toEqual([]);
  const { status, body } = await store.graphql(operation.text, variablesOf(operation), accessToken);
  expect(status).toBe(200);
  expect(body.errors).toBeUndefined();
  for (const [field, answer] of Object.entries(body.data ?? {})) {
    expect(answer, field).not.toBeNull();
    expect(Object(answer).userErrors ?? []).toEqual([]);
  }
});
