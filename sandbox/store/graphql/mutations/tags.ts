import { publishOrder, saveOrder } from "../../orders/change-order.ts";
import { changeProduct } from "../../products/change-product.ts";
import { parseGlobalId } from "../../state/global-id.ts";
import type { Caller } from "../context.ts";
import { notModelled } from "../not-modelled.ts";
import { userError } from "../user-error.ts";
import type { View } from "../view.ts";
import { nodeView } from "../views/node.ts";
import { requireWriteAccess } from "./owner.ts";

const maxTagLength = 255;

interface TagsArguments {
  id: string;
  tags: string[];
}

export const tagsAdd = (caller: Caller, { id, tags }: TagsArguments): View =>
  changeTags(caller, "tagsAdd", id, tags, (current) => [
    ...current,
    ...clean(tags).filter((tag) => !includes(current, tag)),
  ]);

export const tagsRemove = (caller: Caller, { id, tags }: TagsArguments): View =>
  changeTags(caller, "tagsRemove", id, tags, (current) =>
    current.filter((tag) => !includes(clean(tags), tag)),
  );

/** Shopify tells of changed tags as of any change: orders/updated, products/update. */
function changeTags(
  caller: Caller,
  mutation: string,
  id: string,
  tags: string[],
  change: (current: string[]) => string[],
): View {
  const { platform, shop } = caller;
  const { data } = platform;
  const target = parseGlobalId(id);
  requireWriteAccess(caller, mutation, target?.type);
  const tooLong = tags.find((tag) => tag.length > maxTagLength);
  if (tooLong !== undefined) {
    return {
      node: null,
      userErrors: [userError(["tags"], `Tags is too long (maximum is ${maxTagLength} characters)`)],
    };
  }
  const missing = {
    node: null,
    userErrors: [userError(["id"], `${target?.type ?? "Record"} does not exist`)],
  };
  if (!target || nodeView(caller, id) === null) return missing;
  const owner =
    target.type === "Order"
      ? data.orders.get(target.id)
      : target.type === "Product"
        ? data.products.get(target.id)
        : data.customers.get(target.id);
  if (!owner) throw notModelled(`tags of ${target.type}`);
  const changed = [...new Set(change(owner.tags))].sort((left, right) => left.localeCompare(right));
  if (changed.join("\n") !== owner.tags.join("\n")) {
    if ("lines" in owner) {
      publishOrder(platform, shop, saveOrder(platform, owner, { tags: changed }), [
        "orders/updated",
      ]);
    } else if ("variants" in owner) {
      changeProduct(platform, shop, owner, { tags: changed });
    } else {
      data.customers.put({ ...owner, tags: changed, updatedAt: platform.clock.nowIso() });
    }
  }
  return { node: nodeView(caller, id), userErrors: [] };
}

/** Tags are told apart without regard to case; a comma separates. */
const clean = (tags: string[]): string[] =>
  tags
    .flatMap((tag) => tag.split(","))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

const includes = (tags: string[], tag: string): boolean =>
  tags.some((candidate) => candidate.toLowerCase() === tag.toLowerCase());
