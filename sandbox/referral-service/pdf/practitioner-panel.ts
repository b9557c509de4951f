import type { Core } from "../core.ts";
import { addressLine } from "../referrals/address-line.ts";
import type { MedicareOrder, Referral } from "../referrals/referral.ts";
import { notesFit } from "./clinical-notes.ts";
import { printedTime } from "./dates.ts";
import { drawField, drawPanel } from "./field.ts";
import { bodyWidth, margin } from "./letterhead.ts";
import { palette } from "./palette.ts";
import type { Sheet } from "./sheet.ts";
import { drawSignature } from "./signature.ts";

/** Where a panel's content goes. */
interface Inner {
  x: number;
  y: number;
  width: number;
}

const gap = 8;
const half = (bodyWidth - gap) / 2;

function drawPair(
  sheet: Sheet,
  y: number,
  height: number,
  [left, right]: [string, string],
): [Inner, Inner] {
  return [
    drawPanel(sheet, { x: margin, y, width: half, height }, left),
    drawPanel(sheet, { x: margin + half + gap, y, width: half, height }, right),
  ];
}

function drawPractitioner(
  sheet: Sheet,
  { x, y, width }: Inner,
  { orderingPractitioner: doctor }: MedicareOrder,
  details: { requestedAtMs: number; signed: boolean },
): void {
  drawField(sheet, { x, y, width }, "Name", doctor.name, { bold: true });
  drawField(sheet, { x, y: y + 22, width }, "Address", addressLine(doctor.address));
  drawField(sheet, { x, y: y + 44, width: 90 }, "Provider number", doctor.providerNumber, {
    bold: true,
  });
  const requested = printedTime(details.requestedAtMs);
  drawField(sheet, { x: x + 96, y: y + 44, width: 140 }, "Request date", requested);
  if (details.signed) drawSignature(sheet, { x, y: y + 66, width: 130, height: 24 }, doctor.name);
  sheet.text(x + 140, y + 82, "Practitioner's signature", { size: 6.5, colour: palette.faint });
}

function drawNotes(sheet: Sheet, { x, y, width }: Inner, notes: string | null): void {
  const short = notes === null || notesFit(sheet, notes, width);
  const shown = notes ?? "No clinical notes given.";
  sheet.paragraph(x, y, short ? shown : "See the clinical notes on the last page.", {
    size: 8.5,
    bold: !short,
    width,
  });
  sheet.text(x, y + 62, "Account: claim against Medicare.", { size: 8.5, bold: true });
  sheet.paragraph(
    x,
    y + 75,
    "Coverage and any charge to the patient are decided by the laboratory at collection.",
    { size: 7.5, colour: palette.muted, width },
  );
}

function drawPrivateRequest(sheet: Sheet, y: number, organisation: string): number {
  const height = 74;
  const [left, right] = drawPair(sheet, y, height, ["Requested by", "Account"]);
  const strong = { size: 10, shrinkTo: 6, bold: true, width: left.width };
  const small = { size: 8, colour: palette.muted, width: left.width };
  sheet.text(left.x, left.y, organisation, strong);
  sheet.paragraph(
    left.x,
    left.y + 16,
    "Requested through the Referral Ordering and Results Service on behalf of the patient. Copy of results to the requesting organisation only.",
    small,
  );
  sheet.text(right.x, right.y, "Prepaid by the requesting organisation", strong);
  sheet.paragraph(
    right.x,
    right.y + 16,
    "Private request. Not claimable from Medicare; do not bill the patient.",
    small,
  );
  return y + height + gap;
}

/** Draws who asks for the tests, who pays, and what the collector should know; returns the y below. */
export function drawPractitionerPanels(
  sheet: Sheet,
  y: number,
  { core, referral, organisation }: { core: Core; referral: Referral; organisation: string },
): number {
  const { medicare } = referral.document;
  if (!medicare) return drawPrivateRequest(sheet, y, organisation);
  const height = 118;
  const titles: [string, string] = ["Requesting practitioner", "Clinical notes and account"];
  const [left, right] = drawPair(sheet, y, height, titles);
  const registered = core.stores.providerNumbers.find(
    referral.organisationId,
    medicare.orderingPractitioner.providerNumber,
  );
  drawPractitioner(sheet, left, medicare, {
    requestedAtMs: referral.createdAtMs,
    signed: registered?.signature ?? false,
  });
  drawNotes(sheet, right, medicare.clinicalNotes);
  return y + height + gap;
}
