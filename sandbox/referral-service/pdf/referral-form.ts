import type { Core } from "../core.ts";
import type { Referral } from "../referrals/referral.ts";
import { drawBarcode } from "./barcode.ts";
import { drawNotesPages, notesFit } from "./clinical-notes.ts";
import { drawCollectionPanels } from "./collection-panels.ts";
import { printedTime } from "./dates.ts";
import { bodyWidth, drawFooters, drawLetterhead, margin } from "./letterhead.ts";
import { palette } from "./palette.ts";
import { drawPatientPanel } from "./patient-panel.ts";
import { drawPractitionerPanels } from "./practitioner-panel.ts";
import { createSheet, pageHeight, pageWidth, type Sheet } from "./sheet.ts";
import { drawTestsPanel } from "./tests-panel.ts";

function drawReferenceBlock(sheet: Sheet, referral: Referral): void {
  const width = 180;
  const x = pageWidth - margin - width;
  drawBarcode(sheet, referral.document.reference, { x, y: 30, width, height: 38 });
  sheet.text(x, 72, referral.document.reference, { size: 12, bold: true, width, align: "centre" });
  sheet.text(x, 88, `Your reference ${referral.referenceNumber || "not given"}`, {
    size: 7.5,
    colour: palette.muted,
    width,
    align: "centre",
  });
}

function medicareExtras(referral: Referral): { label: string; value: string }[] {
  const { medicare } = referral.document;
  if (!medicare) return [];
  const { medicareCardNumber: card, dvaNumber } = medicare;
  const spaced = `${card.slice(0, 4)} ${card.slice(4, 9)} ${card.slice(9, 10)}`;
  return [
    { label: "Medicare card number", value: spaced },
    { label: "IRN (position on card)", value: card[10] ?? "not given" },
    { label: "DVA file number", value: dvaNumber ?? "not applicable" },
  ];
}

/** The form that a patient takes to a collection centre, as a PDF of A4 pages. `atMs`: when it says that it was issued. */
export function renderReferralForm(
  core: Core,
  referral: Referral,
  atMs = referral.updatedAtMs,
): Promise<Buffer> {
  const { document } = referral;
  const organisation = core.stores.organisations.find(referral.organisationId)?.name ?? "";
  const sheet = createSheet({
    title: `Pathology request ${document.reference}`,
    createdAt: new Date(atMs),
  });
  const start = drawLetterhead(sheet, {
    organisation,
    title: document.medicare ? "Pathology request: Medicare" : "Pathology request: private",
    subtitle: `Issued ${printedTime(atMs)}, edition ${referral.issueNumber}. Valid for 12 months.`,
  });
  drawReferenceBlock(sheet, referral);
  let y = drawPatientPanel(sheet, start, {
    person: document.person,
    atMs: referral.updatedAtMs,
    extra: medicareExtras(referral),
  });
  y = drawTestsPanel(sheet, y, { core, referral });
  const heading = `${document.reference}  ${document.person.lastName.toUpperCase()}, ${document.person.firstName}`;
  if (y + (document.medicare ? 370 : 260) > pageHeight - margin) {
    sheet.addPage();
    sheet.text(margin, 30, heading, { size: 9, bold: true, width: bodyWidth });
    y = 50;
  }
  y = drawPractitionerPanels(sheet, y, { core, referral, organisation });
  drawCollectionPanels(sheet, y, referral);
  const notes = document.medicare?.clinicalNotes ?? null;
  if (notes !== null && !notesFit(sheet, notes, (bodyWidth - 8) / 2 - 16)) {
    drawNotesPages(sheet, notes, heading);
  }
  drawFooters(
    sheet,
    `Request ${document.reference}. The information on this form is collected to carry out the requested pathology tests and is handled under the Privacy Act 1988 (Cth).`,
  );
  return sheet.finish();
}
