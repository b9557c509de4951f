import { expect, test } from "vitest";
import { PALETTES } from "../../platform/palettes.ts";
import { STYLE } from "./style.ts";
import { foreignClasses, STYLED } from "./testing/foreign-classes.ts";

test("every class of the style sheet carries the prefix that no theme uses", () => {
  expect(STYLED.length).toBeGreaterThan(20);
  expect(STYLED.filter((name) => !name.startsWith("pw-"))).toEqual([]);
});

test("a class without the prefix, or without a style, is found on a page", () => {
  expect(foreignClasses('<p class="pw-card card"><b class="pw-crad">')).toEqual([
    "card",
    "pw-crad",
  ]);
});

/** WCAG 2.2, relative luminance and contrast ratio. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/\w\w/g) ?? []).map((part) => {
      const share = Number.parseInt(part, 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [less = 0, more = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

test.each(["light", "dark"] as const)("%s: words and signs stand out at AA", (scheme) => {
  const palette = PALETTES[scheme];
  for (const words of ["ink", "quiet", "act", "bad", "good"] as const)
    for (const ground of ["paper", "soft"] as const)
      expect(contrast(palette[words], palette[ground]), `${words} on ${ground}`).toBeGreaterThan(
        4.5,
      );
  // A trend's numbers stand on its band too; what is filled in has an edge; the range stands out of its bar.
  expect(contrast(palette.ink, palette.band)).toBeGreaterThan(4.5);
  expect(contrast(palette.edge, palette.paper)).toBeGreaterThan(3);
  expect(contrast(palette.quiet, palette.line)).toBeGreaterThan(3);
});

test("every colour is one of the palette's, so that none is left behind at night", () => {
  const known = Object.values(PALETTES).flatMap((palette) => Object.values<string>(palette));
  const used = STYLE.match(/#[0-9a-f]{3,8}\b/g) ?? [];
  expect(used.filter((colour) => !known.includes(colour))).toEqual([]);
});

test("is dark on pages of our own alone, on screens alone", () => {
  const dark = STYLE.split("@media screen and (prefers-color-scheme:dark)");
  expect(dark).toHaveLength(2);
  expect(dark[1]).toMatch(/^\{\.pw-body,\.pw-body \.pw-page\{/);
  expect(STYLE).toMatch(/\.pw-page\{[^}]*background:var\(--paper\)/);
});

test("pictures inside a theme stand out of a reader's own dark ground", () => {
  const [, own = ""] = STYLE.split("(forced-colors:active) and (prefers-color-scheme:dark){");
  expect(own).toMatch(/^\.pw-page\{/);
  const [rule = ""] = own.split("}");
  for (const [name, colour] of Object.entries(PALETTES.dark))
    expect(rule).toContain(`--${name}:${colour};`);
});

test("measures nothing by a theme's rem, and moves nothing", () => {
  expect(STYLE).not.toMatch(/\drem/);
  expect(STYLE).not.toMatch(/animation|transition|scroll-behavior/);
});

test("a heading on paper is torn neither from its values nor in two", () => {
  const [, paper = ""] = STYLE.split("@media print{");
  const whole = /([^}]*)\{break-inside:avoid\}/.exec(paper)?.[1] ?? "";
  expect(paper).toMatch(/\.pw-page summary\{break-after:avoid\}/);
  // A category's heading has two lines, its name and its count.
  expect(whole.split(",")).toContain(".pw-page summary");
});
