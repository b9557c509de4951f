import { type Html, html } from "../html.ts";

/** A picture drawn from the product's name, so that the shop needs none from elsewhere. Purely decorative. */
export function productArt(title: string): Html {
  let hash = 7;
  for (const character of title) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  const hue = hash % 360;
  const tubes = [0, 1, 2].map((index) => ({
    x: 62 + index * 44,
    fill: 38 + ((hash >> (index * 3)) % 7) * 9,
    hue: (hue + index * 28) % 360,
  }));
  return html`<svg class="art" viewBox="0 0 240 180" aria-hidden="true" focusable="false">
    <rect width="240" height="180" fill="hsl(${hue} 35% 92%)" />
    <circle cx="${190 - (hash % 40)}" cy="48" r="64" fill="hsl(${hue} 40% 86%)" />
    ${tubes.map(
      ({
        x,
        fill,
        hue: tubeHue,
      }) => html`<rect x="${x}" y="36" width="26" height="112" rx="13" fill="#fff" opacity=".85" />
        <path d="M${x} ${148 - fill} h26 v${fill - 13} a13 13 0 0 1 -26 0 z" fill="hsl(${tubeHue} 45% 46%)" opacity=".85" />
        <rect x="${x - 3}" y="28" width="32" height="14" rx="5" fill="hsl(${tubeHue} 35% 32%)" />`,
    )}
  </svg>`;
}
