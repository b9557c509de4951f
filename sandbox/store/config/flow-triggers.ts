import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "toml";
import { z } from "zod";

export interface FlowField {
  /** Shopify's name: `order_reference`, `single_line_text_field`, … */
  type: string;
  /** Property of the payload: `order_id` for an order reference, otherwise the field's own key. */
  property: string;
}

export interface FlowTrigger {
  handle: string;
  fields: FlowField[];
}

const extensionFile = z.object({
  extensions: z.array(z.object({ type: z.string(), handle: z.string().optional() })).default([]),
  settings: z
    .object({
      fields: z.array(z.object({ type: z.string(), key: z.string().optional() })).default([]),
    })
    .default({ fields: [] }),
});

/** The triggers for Shopify Flow that the extensions of a folder declare. */
export function readFlowTriggers(extensionsDirectory: string): FlowTrigger[] {
  return globSync("*/shopify.extension.toml", { cwd: extensionsDirectory }).flatMap((file) => {
    const text = readFileSync(join(extensionsDirectory, file), "utf8");
    const { extensions, settings } = extensionFile.parse(parse(text));
    const fields = settings.fields.map(({ type, key }) => ({
      type,
      property: type.endsWith("_reference") ? type.replace(/_reference$/, "_id") : (key ?? ""),
    }));
    return extensions.flatMap(({ type, handle }) =>
      type === "flow_trigger" && handle ? [{ handle, fields }] : [],
    );
  });
}
