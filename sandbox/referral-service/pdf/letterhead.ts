import { palette } from "./palette.ts";
import { pageWidth, type Sheet } from "./sheet.ts";

/** Margin of all documents, in points. */
export const margin = 36;

/** Width between the margins. */
export const bodyWidth = pageWidth - 2 * margin;

/** Draws the mark: a drop in a rounded square. */
function drawMark(sheet: Sheet, x: number, y: number): void {
  sheet.box(x, y, 30, 30, { fill: palette.brand, radius: 6 });
  sheet.doc
    .path(
      `M ${x + 15} ${y + 5} C ${x + 17} ${y + 10} ${x + 23} ${y + 13} ${x + 23} ${y + 18.5} ` +
        `A 8 7.5 0 1 1 ${x + 7} ${y + 18.5} C ${x + 7} ${y + 13} ${x + 13} ${y + 10} ${x + 15} ${y + 5} Z`,
    )
    .fill("#ffffff");
}

/** Draws the sender and the kind of the document; returns the y below. */
export function drawLetterhead(
  sheet: Sheet,
  content: { organisation: string; title: string; subtitle: string },
): number {
  drawMark(sheet, margin, 30);
  sheet.text(margin + 40, 31, content.organisation, {
    size: 13,
    bold: true,
    colour: palette.brand,
    width: 250,
  });
  sheet.text(margin + 40, 47.5, "Referral Ordering and Results Service", {
    size: 8,
    colour: palette.muted,
  });
  sheet.text(margin, 72, content.title, { size: 17, bold: true, width: 330 });
  sheet.text(margin, 93, content.subtitle, { size: 8.5, colour: palette.muted, width: 330 });
  return 112;
}

/** Page numbers and a line of small print on every page; call last. */
export function drawFooters(sheet: Sheet, smallPrint: string): void {
  const { count } = sheet.doc.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    sheet.doc.switchToPage(page);
    sheet.line(margin, 806, pageWidth - margin, 806, palette.hairline);
    sheet.text(margin, 812, smallPrint, {
      size: 6.8,
      colour: palette.faint,
      width: bodyWidth - 70,
    });
    sheet.text(pageWidth - margin - 60, 812, `Page ${page + 1} of ${count}`, {
      size: 6.8,
      colour: palette.faint,
      width: 60,
      align: "right",
    });
  }
}
