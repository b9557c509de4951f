import { credentials } from "../../state/credentials.ts";
import { parseGlobalId } from "../../state/global-id.ts";
import { nextId } from "../../state/next-id.ts";
import type { Caller } from "../context.ts";
import { userError } from "../user-error.ts";
import type { View } from "../view.ts";
import { compareDigest, metafieldView, resolveNamespace } from "../views/metafield.ts";
import { nodeView } from "../views/node.ts";
import { valueProblem } from "./metafield-types.ts";
import { requireWriteAccess } from "./owner.ts";

interface MetafieldInput {
  ownerId: string;
  namespace?: string | null;
  key: string;
  type?: string | null;
  value: string;
  compareDigest?: string | null;
}

const maxPerCall = 25;

/** All or nothing, as in Shopify. */
export function metafieldsSet(
  caller: Caller,
  { metafields }: { metafields: MetafieldInput[] },
): View {
  const { data, clock } = caller.platform;
  for (const input of metafields) {
    requireWriteAccess(caller, "metafieldsSet", parseGlobalId(input.ownerId)?.type);
  }
  if (metafields.length > maxPerCall) {
    const message = `Exceeded the maximum metafields input limit of ${maxPerCall}.`;
    return {
      metafields: null,
      userErrors: [problem(["metafields"], "LESS_THAN_OR_EQUAL_TO", message, null)],
    };
  }
  const userErrors = metafields.flatMap((input, index) => problemOf(caller, input, index) ?? []);
  if (userErrors.length > 0) return { metafields: null, userErrors };
  const now = clock.nowIso();
  const stored = metafields.map((input) => {
    const namespace = resolveNamespace(caller, input.namespace);
    const id = `${input.ownerId}|${namespace}|${input.key}`;
    const known = data.metafields.get(id);
    return data.metafields.put({
      id,
      numericId: known?.numericId ?? nextId(data),
      shop: caller.shop.id,
      ownerId: input.ownerId,
      namespace,
      key: input.key,
      type: input.type ?? known?.type ?? definedType(caller, input) ?? "",
      value: input.value,
      createdAt: known?.createdAt ?? now,
      updatedAt: now,
    });
  });
  const views = stored.map((field) => metafieldView(field, () => nodeView(caller, field.ownerId)));
  return { metafields: views, userErrors: [] };
}

interface Identifier {
  ownerId: string;
  namespace: string;
  key: string;
}

export function metafieldsDelete(
  caller: Caller,
  { metafields }: { metafields: Identifier[] },
): View {
  const { data } = caller.platform;
  for (const { ownerId } of metafields) {
    requireWriteAccess(caller, "metafieldsDelete", parseGlobalId(ownerId)?.type);
  }
  const deletedMetafields = metafields.map((identifier) => {
    const namespace = resolveNamespace(caller, identifier.namespace);
    const id = `${identifier.ownerId}|${namespace}|${identifier.key}`;
    if (!data.metafields.get(id)) return null;
    data.metafields.delete(id);
    return { ...identifier, namespace };
  });
  return { deletedMetafields, userErrors: [] };
}

function problemOf(caller: Caller, input: MetafieldInput, index: number): View | undefined {
  const at = (field: string) => ["metafields", String(index), field];
  const namespace = resolveNamespace(caller, input.namespace);
  const known = caller.platform.data.metafields.get(`${input.ownerId}|${namespace}|${input.key}`);
  if (nodeView(caller, input.ownerId) === null) {
    return problem(at("ownerId"), "INVALID", "Owner does not exist.", index);
  }
  const own = `app--${credentials(caller.platform).appId}`;
  if (/^app--/.test(namespace) && namespace !== own && !namespace.startsWith(`${own}--`)) {
    const message =
      "Access to this namespace and key on Metafields for this resource type is not allowed.";
    return problem(at("namespace"), "APP_NOT_AUTHORIZED", message, index);
  }
  if (!/^[A-Za-z0-9_-]{2,64}$/.test(input.key)) {
    return problem(
      at("key"),
      "INVALID",
      "Key must be 2 to 64 letters, digits, hyphens or underscores.",
      index,
    );
  }
  if (!/^[A-Za-z0-9_-]{3,255}$/.test(namespace)) {
    return problem(
      at("namespace"),
      "INVALID",
      "Namespace must be 3 to 255 letters, digits, hyphens or underscores.",
      index,
    );
  }
  const defined = definedType(caller, input);
  if (defined && input.type != null && input.type !== defined) {
    const message = `Type '${input.type}' must be consistent with the definition's type: '${defined}'.`;
    return problem(at("type"), "INVALID_TYPE", message, index);
  }
  const type = input.type ?? known?.type ?? defined;
  if (!type) return problem(at("type"), "BLANK", "Type can't be blank", index);
  if (
    input.compareDigest != null &&
    input.compareDigest !== (known ? compareDigest(known.value) : undefined)
  ) {
    return problem(
      ["metafields", String(index)],
      "STALE_OBJECT",
      "The resource has been updated since it was loaded. Try again with an updated `compareDigest` value.",
      index,
    );
  }
  if (input.value === "") return problem(at("value"), "BLANK", "Value can't be blank.", index);
  const wrong = valueProblem(type, input.value);
  return wrong && problem(at(wrong.field), wrong.code, wrong.message, index);
}

/** The type that shopify.app.toml defines for a metafield of the app's own namespace. */
function definedType(caller: Caller, { ownerId, namespace, key }: MetafieldInput) {
  if (resolveNamespace(caller, namespace) !== resolveNamespace(caller, "$app")) return undefined;
  const owner = parseGlobalId(ownerId)?.type;
  return caller.platform.config.metafieldTypes.get(`${owner}|${key}`);
}

const problem = (field: string[], code: string, message: string, index: number | null): View =>
  userError(field, message, { code, elementIndex: index });
