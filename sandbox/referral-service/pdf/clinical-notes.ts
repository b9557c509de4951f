import { bodyWidth, margin } from "./letterhead.ts";
import { pageHeight, type Sheet } from "./sheet.ts";

/** Lines of notes that the form's panel has room for. */
const panelLines = 5;

const lineHeight = 11.5;

/** Whether notes fit into their panel; otherwise they get pages of their own, whole. */
export function notesFit(sheet: Sheet, notes: string, width: number): boolean {
  return sheet.wrap(notes, { size: 8.5, width }).length <= panelLines;
}

/** Prints long notes on pages of their own, after everything else. */
export function drawNotesPages(sheet: Sheet, notes: string, heading: string): void {
  const style = { size: 9, width: bodyWidth };
  let y = Number.POSITIVE_INFINITY;
  for (const line of sheet.wrap(notes, style)) {
    if (y + lineHeight > pageHeight - 45) {
      sheet.addPage();
      sheet.text(margin, 30, heading, { size: 9, bold: true, width: bodyWidth });
      sheet.text(margin, 50, "Clinical notes", { size: 11, bold: true });
      y = 70;
    }
    sheet.text(margin, y, line, style);
    y += lineHeight;
  }
}
