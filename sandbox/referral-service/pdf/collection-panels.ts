import type { Referral } from "../referrals/referral.ts";
import { drawPanel } from "./field.ts";
import { bodyWidth, margin } from "./letterhead.ts";
import { palette } from "./palette.ts";
import type { Sheet } from "./sheet.ts";

const assignment =
  "Medicare assignment (section 20A of the Health Insurance Act 1973): I offer to assign my right to benefits to the approved pathology practitioner who will render the requested pathology services and any eligible pathologist-determined services established as necessary by the practitioner.";

function drawBlank(
  sheet: Sheet,
  place: { x: number; y: number; width: number },
  label: string,
): void {
  sheet.line(place.x, place.y + 16, place.x + place.width, place.y + 16, palette.muted);
  sheet.text(place.x, place.y + 18.5, label, {
    size: 6.5,
    colour: palette.faint,
    width: place.width,
  });
}

/** Where the patient goes, and what collector and patient fill in. */
export function drawCollectionPanels(sheet: Sheet, top: number, referral: Referral): void {
  let y = top;
  const { person, medicare } = referral.document;
  const hint = drawPanel(
    sheet,
    { x: margin, y, width: bodyWidth, height: 62 },
    "For the patient: where to go",
  );
  sheet.paragraph(
    hint.x,
    hint.y,
    `Take this form, on paper or on your phone, to any participating collection centre. Centres near ${person.address.city} ${person.address.state} ${person.address.postCode} are listed on each laboratory's website. Most need no appointment; mornings are busiest. Bring photo identification${medicare ? " and your Medicare card" : ""}. You may choose your own pathology provider; discuss the choice with your practitioner.`,
    { size: 8.5, width: hint.width, maxLines: 4 },
  );
  y += 70;
  if (medicare) {
    const panel = drawPanel(
      sheet,
      { x: margin, y, width: bodyWidth, height: 70 },
      "Medicare assignment",
    );
    sheet.paragraph(panel.x, panel.y, assignment, { size: 7, width: panel.width, maxLines: 3 });
    drawBlank(sheet, { x: panel.x, y: panel.y + 22, width: 220 }, "Patient's signature");
    drawBlank(sheet, { x: panel.x + 240, y: panel.y + 22, width: 110 }, "Date");
    y += 78;
  }
  const panel = drawPanel(sheet, { x: margin, y, width: bodyWidth, height: 92 }, "Collector's use");
  const column = panel.width / 4;
  const blanks = ["Date of collection", "Time of collection", "Collector", "Centre code"];
  for (const [index, label] of blanks.entries()) {
    drawBlank(sheet, { x: panel.x + index * column, y: panel.y, width: column - 12 }, label);
  }
  sheet.paragraph(
    panel.x,
    panel.y + 32,
    "I certify that I established the identity of the patient named on this request, collected and immediately labelled the accompanying specimens with the patient's details.",
    { size: 7, colour: palette.muted, width: panel.width * 0.55, maxLines: 3 },
  );
  drawBlank(
    sheet,
    { x: panel.x + panel.width * 0.6, y: panel.y + 34, width: panel.width * 0.4 - 12 },
    "Collector's signature",
  );
}
