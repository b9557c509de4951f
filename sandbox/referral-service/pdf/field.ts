import { palette } from "./palette.ts";
import type { Sheet, TextStyle } from "./sheet.ts";

/** A small label with its value underneath, as on printed forms. */
export function drawField(
  sheet: Sheet,
  place: { x: number; y: number; width: number },
  label: string,
  value: string,
  style: TextStyle = {},
): void {
  sheet.text(place.x, place.y, label.toUpperCase(), {
    size: 6,
    colour: palette.faint,
    width: place.width,
  });
  sheet.text(place.x, place.y + 9.3, value, {
    size: 9.5,
    shrinkTo: 5.5,
    width: place.width,
    ...style,
  });
}

/** A titled panel; returns where its content begins. */
export function drawPanel(
  sheet: Sheet,
  place: { x: number; y: number; width: number; height: number },
  title: string,
): { x: number; y: number; width: number } {
  sheet.box(place.x, place.y, place.width, place.height, { stroke: palette.rule, radius: 3 });
  sheet.text(place.x + 8, place.y + 6, title.toUpperCase(), {
    size: 7,
    bold: true,
    colour: palette.brand,
    width: place.width - 16,
  });
  return { x: place.x + 8, y: place.y + 19, width: place.width - 16 };
}
