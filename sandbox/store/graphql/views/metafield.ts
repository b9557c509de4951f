import { createHash } from "node:crypto";
import { credentials } from "../../state/credentials.ts";
import { globalId, parseGlobalId } from "../../state/global-id.ts";
import type { MetafieldDocument } from "../../state/metafield.ts";
import { connection, type PageArguments } from "../connection.ts";
import type { Caller } from "../context.ts";
import type { View } from "../view.ts";

/** The fields that every owner of metafields has; `owner` shows it again. */
export const metafieldFields = (
  caller: Caller,
  ownerId: string,
  owner: () => View | null,
): View => ({
  metafield: ({ namespace, key }: { namespace?: string | null; key: string }) => {
    const id = `${ownerId}|${resolveNamespace(caller, namespace)}|${key}`;
    const found = caller.platform.data.metafields.get(id);
    return found ? metafieldView(found, owner) : null;
  },
  metafields: (args: PageArguments & { namespace?: string | null; keys?: string[] | null }) => {
    const namespace = args.namespace == null ? null : resolveNamespace(caller, args.namespace);
    const found = caller.platform.data.metafields
      .all()
      .filter((field) => field.ownerId === ownerId)
      .filter((field) => namespace === null || field.namespace === namespace)
      .filter(
        (field) => args.keys == null || args.keys.includes(`${field.namespace}.${field.key}`),
      );
    return connection(
      found,
      args,
      (field) => [field.numericId, field.numericId],
      (field) => metafieldView(field, owner),
    );
  },
});

/** `$app` and `$app:name` stand for a namespace that belongs to the asking app; it is the default, too. */
export function resolveNamespace(caller: Caller, namespace: string | null | undefined): string {
  const reserved = `app--${credentials(caller.platform).appId}`;
  if (namespace == null || namespace === "$app") return reserved;
  return namespace.replace(/^\$app:/, `${reserved}--`);
}

/** Metafield */
export const metafieldView = (field: MetafieldDocument, owner: () => View | null): View => ({
  __typename: "Metafield",
  id: globalId("Metafield", field.numericId),
  legacyResourceId: String(field.numericId),
  namespace: field.namespace,
  key: field.key,
  type: field.type,
  value: field.value,
  jsonValue: jsonValue(field),
  compareDigest: compareDigest(field.value),
  sizeInBytes: Buffer.byteLength(field.value),
  createdAt: field.createdAt,
  updatedAt: field.updatedAt,
  definition: null,
  description: null,
  ownerType: ownerTypes.get(parseGlobalId(field.ownerId)?.type ?? ""),
  owner,
});

export const compareDigest = (value: string): string =>
  createHash("sha256").update(value).digest("hex");

function jsonValue({ type, value }: MetafieldDocument): unknown {
  const isJson =
    /^(json|rich_text_field|number_integer|boolean|list\..+|money|dimension|volume|weight|rating|link)$/;
  return isJson.test(type) ? JSON.parse(value) : value;
}

const ownerTypes = new Map([
  ["AppInstallation", "API_PERMISSION"],
  ["Customer", "CUSTOMER"],
  ["Order", "ORDER"],
  ["Product", "PRODUCT"],
  ["ProductVariant", "PRODUCTVARIANT"],
  ["Shop", "SHOP"],
]);
