import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The characters of WinAnsi beyond Latin-1, which the standard fonts can print as well. */
const windowsExtras = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";

/** Subsets of Inter by the characters they cover; the first that fits is used. */
const subsets: { name: string; covers: (code: number) => boolean }[] = [
  {
    name: "vietnamese",
    covers: (c) =>
      (c >= 0x1ea0 && c <= 0x1ef9) ||
      [0x102, 0x103, 0x110, 0x111, 0x128, 0x129, 0x168, 0x169, 0x1a0, 0x1a1, 0x1af, 0x1b0].includes(
        c,
      ),
  },
  { name: "latin-ext", covers: (c) => (c >= 0x100 && c <= 0x24f) || (c >= 0x1e00 && c <= 0x1e9f) },
  { name: "greek", covers: (c) => c >= 0x370 && c <= 0x3ff },
  { name: "cyrillic", covers: (c) => c >= 0x400 && c <= 0x45f },
];

function isStandard(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa0 && code <= 0xff) ||
    windowsExtras.includes(character)
  );
}

/** A piece of text with the font that can print it: a standard font's name, or a font file. */
export interface FontRun {
  text: string;
  font: string;
}

const files = new Map<string, Buffer>();

/** The bytes of an Inter file that a run names, or null for a standard font. */
export function fontFile(font: string): Buffer | null {
  if (!font.startsWith("inter-")) return null;
  const known = files.get(font);
  if (known) return known;
  const bytes = readFileSync(require.resolve(`@fontsource/inter/files/${font}-normal.woff`));
  files.set(font, bytes);
  return bytes;
}

/**
 * Splits text into runs by font. Helvetica prints what it can; a text with any other letter is set
 * in Inter, so that names like Nguyễn or Łukasz come out right. Control characters become spaces
 * and letters that no font has become a replacement mark.
 */
export function fontRuns(text: string, bold: boolean): FontRun[] {
  const clean = text.normalize("NFC").replace(/\p{Cc}+/gu, " ");
  const characters = [...clean];
  if (characters.every(isStandard)) {
    return [{ text: clean, font: bold ? "Helvetica-Bold" : "Helvetica" }];
  }
  const weight = bold ? 700 : 400;
  const runs: FontRun[] = [];
  for (const character of characters) {
    const code = character.codePointAt(0) ?? 0;
    const subset = isStandard(character) ? "latin" : subsets.find((s) => s.covers(code))?.name;
    const font = `inter-${subset ?? "latin"}-${weight}`;
    const printed = subset === undefined ? "?" : character;
    const last = runs.at(-1);
    if (last?.font === font) last.text += printed;
    else runs.push({ text: printed, font });
  }
  return runs;
}
