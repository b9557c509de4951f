import bwipjs from "bwip-js/node";
import { z } from "zod";
import type { Sheet } from "./sheet.ts";

/** Widths of bars and spaces in modules, beginning with a bar. */
const encoded = z.tuple([z.looseObject({ sbs: z.array(z.number()) })]).rest(z.unknown());

/** The Code 128 widths of a text. */
export function code128Widths(text: string): number[] {
  const [symbol] = encoded.parse(bwipjs.raw({ bcid: "code128", text }));
  return symbol.sbs;
}

/** Draws a Code 128 barcode as vectors, so that it stays sharp in print. */
export function drawBarcode(
  sheet: Sheet,
  text: string,
  place: { x: number; y: number; width: number; height: number },
): void {
  const widths = code128Widths(text);
  const modules = widths.reduce((sum, width) => sum + width, 0);
  const module = place.width / modules;
  let left = place.x;
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) sheet.doc.rect(left, place.y, width * module, place.height);
    left += width * module;
  }
  sheet.doc.fill("#000000");
}
