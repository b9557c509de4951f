/** A topic that the app has subscribed to, and where it wants it: a path under its URL, or a whole address. */
export interface Subscription {
  /** `orders/paid` */
  topic: string;
  uri: string;
  /** Paths of the only fields that are wanted; null for all. */
  includeFields: string[] | null;
}

/** Both spellings that shopify.app.toml and GraphQL use, `orders/paid` and `ORDERS_PAID`, to the former. */
export function toTopic(name: string): string {
  if (name.includes("/")) return name.toLowerCase();
  const words = name.toLowerCase();
  const resource = resources.find((candidate) => words.startsWith(`${candidate}_`));
  return resource ? `${resource}/${words.slice(resource.length + 1)}` : words;
}

const resources = ["orders", "refunds", "customers", "products", "fulfillments", "shop", "app"];

/** The privacy topics: sent to every app that has ever been installed, whatever its scopes. */
export const complianceTopics: ReadonlySet<string> = new Set([
  "customers/data_request",
  "customers/redact",
  "shop/redact",
]);

/** The callback address of a subscription, or null when it is relative and the app's URL is not known. */
export function callbackUrl(
  subscription: Pick<Subscription, "uri">,
  appUrl: string | null,
): string | null {
  if (URL.canParse(subscription.uri)) return subscription.uri;
  return appUrl === null ? null : `${appUrl.replace(/\/$/, "")}${subscription.uri}`;
}
