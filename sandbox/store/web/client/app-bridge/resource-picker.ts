import type { PickerRequest } from "../bridge-protocol.ts";
import type { Connection } from "./connection.ts";

interface PickerOptions {
  type?: string;
  action?: string;
  multiple?: boolean | number;
  query?: string;
  filter?: { query?: string; variants?: boolean };
  selectionIds?: { id: string; variants?: { id: string }[] }[];
}

/** `shopify.resourcePicker`: what was chosen, in Shopify's shape with `selection`; undefined when closed. */
export function resourcePicker(connection: Connection) {
  return async (options: PickerOptions): Promise<unknown> => {
    const type = options.type;
    if (type !== "product" && type !== "variant") {
      throw new Error(`resourcePicker of type ${type} is not modelled by the sandbox`);
    }
    const request: PickerRequest = {
      type,
      action: options.action === "select" ? "select" : "add",
      multiple: options.multiple ?? false,
      query: options.query ?? options.filter?.query ?? "",
      selectedIds: (options.selectionIds ?? []).flatMap((entry) => [
        entry.id,
        ...(entry.variants ?? []).map((variant) => variant.id),
      ]),
      showVariants: options.filter?.variants !== false,
    };
    const chosen = await connection.call("resourcePicker", request);
    if (chosen === null) return undefined;
    // Older code reads `.selection` of the answer; the array itself is the current form.
    return Object.assign(chosen, { selection: chosen });
  };
}
