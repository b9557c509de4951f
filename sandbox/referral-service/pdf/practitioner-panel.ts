import type { Core } from "../core.ts";
import type { Referral } from "../referrals/referral.ts";
import { printedTime } from "./dates.ts";
import { drawField, drawPanel } from "./field.ts";
import { bodyWidth, margin } from "./letterhead.ts";
import { palette } from "./palette.ts";
import { addressLine } from "./patient-panel.ts";
import type { Sheet } from "./sheet.ts";
import { drawSignature } from "./signature.ts";

/** Who asks for the tests, who pays, and what the collector should know; returns the y below. */
export function drawPractitionerPanels(
  sheet: Sheet,
  y: number,
  { core, referral, organisation }: { core: Core; referral: Referral; organisation: string },
): number {
  const { medicare } = referral.document;
  const half = (bodyWidth - 8) / 2;
  const height = medicare ? 118 : 84;
  const left = drawPanel(
    sheet,
    { x: margin, y, width: half, height },
    medicare ? "Requesting practitioner" : "Requested by",
  );
  const right = drawPanel(
    sheet,
    { x: margin + half + 8, y, width: half, height },
    medicare ? "Clinical notes and account" : "Account",
  );
  if (medicare) {
    const { orderingPractitioner: doctor } = medicare;
    const registered = core.stores.providerNumbers.find(
      referral.organisationId,
      doctor.providerNumber,
    );
    drawField(sheet, left, "Name", doctor.name, { bold: true });
    drawField(
      sheet,
      { ...left, y: left.y + 22, width: left.width },
      "Address",
      addressLine(doctor.address),
    );
    drawField(
      sheet,
      { ...left, y: left.y + 44, width: 90 },
      "Provider number",
      doctor.providerNumber,
      {
        bold: true,
      },
    );
    drawField(
      sheet,
      { ...left, x: left.x + 96, y: left.y + 44, width: 140 },
      "Request date",
      printedTime(referral.createdAtMs),
    );
    if (registered?.signature)
      drawSignature(sheet, { x: left.x, y: left.y + 66, width: 130, height: 24 }, doctor.name);
    sheet.text(left.x + 140, left.y + 82, "Practitioner's signature", {
      size: 6.5,
      colour: palette.faint,
    });
    sheet.paragraph(right.x, right.y, medicare.clinicalNotes ?? "No clinical notes given.", {
      size: 8.5,
      width: right.width,
      maxLines: 5,
    });
    sheet.text(right.x, right.y + 62, "Account: claim against Medicare.", {
      size: 8.5,
      bold: true,
    });
    sheet.paragraph(
      right.x,
      right.y + 75,
      "Coverage and any charge to the patient are decided by the laboratory at collection.",
      {
        size: 7.5,
        colour: palette.muted,
        width: right.width,
      },
    );
  } else {
    sheet.text(left.x, left.y, organisation, { size: 10, bold: true, width: left.width });
    sheet.paragraph(
      left.x,
      left.y + 15,
      "Requested through the Referral Ordering and Results Service on behalf of the patient. Copy of results to the requesting organisation only.",
      {
        size: 8,
        colour: palette.muted,
        width: left.width,
      },
    );
    sheet.text(right.x, right.y, "Account: prepaid by the requesting organisation.", {
      size: 9,
      bold: true,
      width: right.width,
    });
    sheet.paragraph(
      right.x,
      right.y + 15,
      "Private request. Not claimable from Medicare; do not bill the patient.",
      {
        size: 8,
        colour: palette.muted,
        width: right.width,
      },
    );
  }
  return y + height + 8;
}
