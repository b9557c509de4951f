import { existsSync, readFileSync } from "node:fs";
import { parse } from "toml";
import { z } from "zod";
import { adminApiVersion } from "../graphql/schema.ts";
import { type Subscription, toTopic } from "../webhooks/subscription.ts";
import { type FlowTrigger, readFlowTriggers } from "./flow-triggers.ts";

/** The developer's declarations about the app: the part of shopify.app.toml that the platform acts upon. */
export interface AppConfig {
  name: string;
  /** Last part of the app's address in the admin. */
  handle: string;
  clientId: string | null;
  scopes: string[];
  /** Scopes that the merchant may grant later, when the app asks for them. */
  optionalScopes: string[];
  /** Path under the app's URL that opens first. */
  homePath: string;
  apiVersion: string;
  subscriptions: Subscription[];
  proxy: { prefix: string; subpath: string; targetPath: string } | null;
  flowTriggers: FlowTrigger[];
  /** Type of each metafield in the app's own namespace that is defined: `Product|pathway` → `json`. */
  metafieldTypes: ReadonlyMap<string, string>;
}

/** Strict: what is not modelled here, such as a filter, must not look as if it worked. */
const subscription = z
  .strictObject({
    topics: z.array(z.string()).default([]),
    compliance_topics: z.array(z.string()).default([]),
    include_fields: z.array(z.string()).nonempty().optional(),
    uri: z.string(),
  })
  .refine((one) => !one.include_fields || one.compliance_topics.length === 0, {
    error: "include_fields is not for compliance topics",
  });

const metafields = z
  .object({
    metafields: z
      .object({ app: z.record(z.string(), z.object({ type: z.string() })).default({}) })
      .optional(),
  })
  .optional();

const configFile = z.object({
  product: metafields,
  variant: metafields,
  order: metafields,
  customer: metafields,
  name: z.string().default("Pathway"),
  handle: z.string().optional(),
  client_id: z.string().optional(),
  application_url: z.string().optional(),
  access_scopes: z
    .object({ scopes: z.string().default(""), optional_scopes: z.array(z.string()).default([]) })
    .optional(),
  webhooks: z
    .object({ api_version: z.string(), subscriptions: z.array(subscription).default([]) })
    .optional(),
  app_proxy: z.object({ url: z.string(), subpath: z.string(), prefix: z.string() }).optional(),
});

/** Reads shopify.app.toml and what the extensions add to it; a missing file gives the defaults of an app that has not declared anything yet. */
export function readAppConfig(path: string, extensionsDirectory: string | null = null): AppConfig {
  const flowTriggers = extensionsDirectory === null ? [] : readFlowTriggers(extensionsDirectory);
  if (!existsSync(path)) return { ...defaultConfig, flowTriggers };
  const file = configFile.parse(parse(readFileSync(path, "utf8")));
  return {
    name: file.name,
    handle: file.handle ?? slug(file.name),
    clientId: /^[0-9a-f]{32}$/.test(file.client_id ?? "") ? (file.client_id ?? null) : null,
    scopes: splitScopes(file.access_scopes?.scopes ?? ""),
    optionalScopes: file.access_scopes?.optional_scopes ?? [],
    homePath: defaultConfig.homePath,
    apiVersion: file.webhooks?.api_version ?? defaultConfig.apiVersion,
    subscriptions: (file.webhooks?.subscriptions ?? []).flatMap((entry) =>
      [...entry.topics, ...entry.compliance_topics].map((topic) => ({
        topic: toTopic(topic),
        uri: entry.uri,
        includeFields: entry.include_fields ?? null,
      })),
    ),
    proxy: file.app_proxy
      ? {
          prefix: file.app_proxy.prefix,
          subpath: file.app_proxy.subpath,
          targetPath: pathOf(file.app_proxy.url),
        }
      : null,
    flowTriggers,
    metafieldTypes: new Map(
      [
        ["Product", file.product] as const,
        ["ProductVariant", file.variant] as const,
        ["Order", file.order] as const,
        ["Customer", file.customer] as const,
      ].flatMap(([owner, declared]) =>
        Object.entries(declared?.metafields?.app ?? {}).map(
          ([key, { type }]) => [`${owner}|${key}`, type] as const,
        ),
      ),
    ),
  };
}

export const splitScopes = (text: string): string[] =>
  text
    .split(",")
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "");

const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

const pathOf = (url: string): string =>
  (URL.canParse(url) ? new URL(url).pathname : url).replace(/\/$/, "");

const defaultConfig: AppConfig = {
  name: "Pathway",
  handle: "pathway",
  clientId: null,
  scopes: ["read_products", "read_orders", "read_customers", "read_customer_merge"],
  optionalScopes: [],
  flowTriggers: [],
  metafieldTypes: new Map(),
  homePath: "/app",
  apiVersion: adminApiVersion,
  subscriptions: [
    "orders/paid",
    "orders/updated",
    "orders/edited",
    "orders/cancelled",
    "refunds/create",
    "customers/merge",
    "products/update",
    "products/delete",
    "app/uninstalled",
    "customers/data_request",
    "customers/redact",
    "shop/redact",
  ].map((topic) => ({ topic, uri: "/webhooks", includeFields: null })),
  proxy: { prefix: "apps", subpath: "pathway", targetPath: "/proxy" },
};
