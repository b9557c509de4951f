import type { Core } from "../core.ts";
import type { Referral } from "../referrals/referral.ts";
import { drawPanel } from "./field.ts";
import { bodyWidth, margin } from "./letterhead.ts";
import { palette } from "./palette.ts";
import { pageHeight, type Sheet } from "./sheet.ts";

const rowHeight = 13;

/**
 * The tests requested, in two columns once they are many, with what to collect and how to prepare;
 * returns the y below.
 */
export function drawTestsPanel(
  sheet: Sheet,
  y: number,
  { core, referral }: { core: Core; referral: Referral },
): number {
  const { document } = referral;
  const tests = document.tests
    .map((id) => core.catalogue.tests.get(id))
    .filter((t) => t !== undefined);
  const columns = tests.length > 16 ? 2 : 1;
  const perPage = Math.floor((pageHeight - margin - 60 - y) / rowHeight) * columns;
  const first = tests.slice(0, Math.max(columns, perPage));
  const rest = tests.slice(first.length);
  const rows = Math.ceil(first.length / columns);
  const product = document.productName === null ? "" : `  ${document.productName}`;
  const title = `Tests requested (${tests.length})${product}`;
  const height = 26 + rows * rowHeight;
  const inner = drawPanel(sheet, { x: margin, y, width: bodyWidth, height }, title);
  const columnWidth = inner.width / columns;
  for (const [index, test] of first.entries()) {
    const x = inner.x + Math.floor(index / rows) * columnWidth;
    const top = inner.y + (index % rows) * rowHeight;
    const specimenWidth = columns === 1 ? 210 : 88;
    sheet.box(x, top + 1.2, 6.5, 6.5, { stroke: palette.muted, thickness: 0.6 });
    sheet.text(x + 12, top, test.name, {
      size: columns === 1 ? 9.5 : 8.5,
      shrinkTo: 5.5,
      bold: true,
      width: columnWidth - specimenWidth - 18,
    });
    sheet.text(x + columnWidth - specimenWidth - 4, top + 0.8, test.specimen, {
      size: columns === 1 ? 8 : 6.8,
      shrinkTo: 5,
      colour: palette.muted,
      width: specimenWidth,
    });
  }
  let bottom = y + height + 8;
  if (rest.length > 0) {
    sheet.addPage();
    bottom = drawRest(
      sheet,
      rest.map((test) => `${test.name}: ${test.specimen}`),
    );
  }
  const preparations = [...new Set(tests.map((t) => t.preparation).filter((p) => p !== undefined))];
  if (preparations.length === 0) return bottom;
  sheet.box(margin, bottom, bodyWidth, 12 + preparations.length * 11, {
    fill: palette.brandTint,
    radius: 3,
  });
  sheet.text(margin + 8, bottom + 6, "Before collection", { size: 8.5, bold: true });
  for (const [index, preparation] of preparations.entries()) {
    sheet.text(margin + 90, bottom + 6 + index * 11, preparation, {
      size: 8.5,
      width: bodyWidth - 16,
    });
  }
  return bottom + 20 + preparations.length * 11;
}

function drawRest(sheet: Sheet, lines: string[]): number {
  sheet.text(margin, 30, "Tests requested, continued", { size: 9, bold: true });
  let y = 48;
  for (const [index, line] of lines.entries()) {
    const column = index % 2;
    sheet.text(margin + column * (bodyWidth / 2), y, line, {
      size: 8.5,
      width: bodyWidth / 2 - 10,
    });
    if (column === 1) y += rowHeight;
  }
  return y + 24;
}
