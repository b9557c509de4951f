import { borderWidth, radius, StyleRules, space } from "./css-values.ts";
import type { SandboxElement } from "./sandbox-element.ts";

const BACKGROUNDS: Record<string, string> = {
  base: "var(--surface)",
  subdued: "var(--surface-subdued)",
  strong: "var(--surface-strong)",
  transparent: "transparent",
};
const SIZES = {
  blockSize: "block-size",
  inlineSize: "inline-size",
  minBlockSize: "min-block-size",
  minInlineSize: "min-inline-size",
  maxBlockSize: "max-block-size",
  maxInlineSize: "max-inline-size",
} as const;
const PADDINGS = {
  padding: "padding",
  paddingBlock: "padding-block",
  paddingBlockStart: "padding-block-start",
  paddingBlockEnd: "padding-block-end",
  paddingInline: "padding-inline",
  paddingInlineStart: "padding-inline-start",
  paddingInlineEnd: "padding-inline-end",
} as const;

/** The properties that boxes, stacks, grids and clickables share, as CSS for `.box`. */
export function boxStyle(host: SandboxElement): StyleRules {
  const style = new StyleRules(".box");
  style.add(
    "background",
    host.readText("background"),
    (value) => BACKGROUNDS[value] ?? "transparent",
  );
  for (const [name, property] of Object.entries(PADDINGS))
    style.add(property, host.readText(name), space);
  for (const [name, property] of Object.entries(SIZES)) style.add(property, host.readText(name));
  style.add("overflow", host.readText("overflow"), (value) =>
    value === "visible" ? "visible" : "hidden",
  );
  style.add("border-radius", host.readText("borderRadius"), radius);
  addBorder(style, host);
  return style;
}

/** `border="base subdued dashed"` (width, colour, style) and the three single properties that override it. */
function addBorder(style: StyleRules, host: SandboxElement): void {
  const [width = "", , line = ""] = host.readText("border").split(" ");
  const borderWidths = host.readText("borderWidth") || width;
  if (!borderWidths || borderWidths === "none") return;
  style.add("border-width", borderWidths, borderWidth);
  style.add("border-style", host.readText("borderStyle") || line || "solid", (value) =>
    value.replaceAll("auto", "solid"),
  );
  style.add(
    "border-color",
    host.readText("borderColor") === "strong" ? "var(--line-strong)" : "var(--line)",
  );
}

/** `display: none` and friends belong on the element itself. */
export function hostStyle(host: SandboxElement, display: string): string {
  const style = new StyleRules(":host");
  style.add("display", host.readText("display") || "auto", (value) =>
    value === "none" ? "none" : display,
  );
  return style.toString();
}

const ROLES: Record<string, string> = {
  header: "banner",
  footer: "contentinfo",
  section: "region",
  aside: "complementary",
  "ordered-list": "list",
  "unordered-list": "list",
  "list-item": "listitem",
  "list-item-separator": "separator",
};

/** Attributes of `.box` for the accessibility properties. */
export function boxRole(host: SandboxElement): { role: string | null; label: string | null } {
  const role = host.readText("accessibilityRole");
  const label = host.readText("accessibilityLabel") || null;
  if (!role || role === "generic" || role === "none")
    return { role: label ? "group" : null, label };
  return { role: ROLES[role] ?? role, label };
}
