import { createRandom } from "../results/random.ts";
import { palette } from "./palette.ts";
import type { Sheet } from "./sheet.ts";

/** A pen stroke that is always the same for the same name, standing for the captured signature. */
export function drawSignature(
  sheet: Sheet,
  place: { x: number; y: number; width: number; height: number },
  name: string,
): void {
  const random = createRandom(`signature/${name}`);
  const { x, y, width, height } = place;
  const loops = Math.max(5, Math.min(11, name.length / 2));
  const middle = y + height * 0.6;
  const { doc } = sheet;
  doc.moveTo(x, middle + 4);
  let left = x;
  for (let index = 0; index < loops; index += 1) {
    const next = left + (width / loops) * (0.75 + random.next() * 0.5);
    const tall = index === 0 || random.next() < 0.3;
    const up = middle - height * (tall ? 0.55 : 0.12 + random.next() * 0.2);
    const down = middle + height * (0.05 + random.next() * 0.2);
    doc.bezierCurveTo(left + (next - left) * 0.1, up, next + 2, up, next, middle);
    doc.bezierCurveTo(next - 2, down, left + (next - left) * 0.6, down, next + 2, middle - 1);
    left = next;
  }
  doc.bezierCurveTo(left + 6, middle - 6, left + 14, middle + 2, left + 20, middle - 3);
  doc.lineWidth(1.1).lineCap("round").lineJoin("round").stroke("#1f3a8a");
  doc.lineCap("butt").lineJoin("miter");
  sheet.line(x, y + height, x + width, y + height, palette.hairline);
}
