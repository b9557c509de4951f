import type { Core } from "../core.ts";
import type { Referral } from "../referrals/referral.ts";
import { type Measurement, summarise } from "../results/measurement.ts";
import type { Result } from "../results/result-store.ts";
import { drawBiomarkerRow, drawTableHead, rowHeightOf } from "./biomarker-row.ts";
import { printedTime } from "./dates.ts";
import { bodyWidth, drawFooters, drawLetterhead, margin } from "./letterhead.ts";
import { palette } from "./palette.ts";
import { drawPatientPanel } from "./patient-panel.ts";
import { createSheet, pageWidth, type Sheet } from "./sheet.ts";

/** Lowest y of content. */
const bottom = 795;

function drawStatus(sheet: Sheet, result: Result, referral: Referral): void {
  const width = 180;
  const x = pageWidth - margin - width;
  const partial = result.arrivedStatus === "PARTIAL_RESULTS";
  sheet.box(x, 30, width, 24, {
    fill: partial ? palette.abnormalTint : palette.brandTint,
    radius: 4,
  });
  sheet.text(x, 37, partial ? "PARTIAL REPORT: MORE TO FOLLOW" : "FINAL REPORT", {
    size: 9,
    bold: true,
    colour: partial ? palette.abnormal : palette.brand,
    width,
    align: "centre",
  });
  const lines: [string, string][] = [
    ["Request", referral.document.reference],
    ["Your reference", referral.referenceNumber || "not given"],
    ["Reported", printedTime(result.resultAtMs)],
  ];
  for (const [index, [label, value]] of lines.entries()) {
    sheet.text(x, 62 + index * 12, label, { size: 8, colour: palette.muted, width: 70 });
    sheet.text(x + 70, 62 + index * 12, value, { size: 8, bold: true, width: width - 70 });
  }
}

function drawSummary(sheet: Sheet, y: number, result: Result): number {
  const { normal, abnormal, critical, total } = summarise(result.released ?? []);
  const parts = [
    `${total} results`,
    `${normal} within range`,
    `${abnormal} out of range`,
    ...(critical > 0 ? [`${critical} critical`] : []),
  ];
  sheet.box(margin, y, bodyWidth, 20, { fill: palette.panel, radius: 3 });
  sheet.text(margin + 8, y + 5.5, parts.join("     "), {
    size: 9,
    bold: true,
    width: bodyWidth - 16,
  });
  return y + 30;
}

function byCategory(measurements: Measurement[]): Measurement[][] {
  const groups = new Map<string, Measurement[]>();
  for (const measurement of measurements) {
    const { id } = measurement.view.category;
    const group = groups.get(id);
    if (group) group.push(measurement);
    else groups.set(id, [measurement]);
  }
  return [...groups.values()];
}

function drawCategoryTitle(sheet: Sheet, y: number, name: string, continued: boolean): number {
  sheet.text(margin, y, continued ? `${name} (continued)` : name, {
    size: 10.5,
    bold: true,
    colour: palette.brand,
    width: bodyWidth,
  });
  return drawTableHead(sheet, y + 16);
}

/** The laboratory's report of what has been released, as a PDF of A4 pages. */
export function renderResultReport(
  core: Core,
  { result, referral }: { result: Result; referral: Referral },
): Promise<Buffer> {
  const { document } = referral;
  const organisation = core.stores.organisations.find(referral.organisationId)?.name ?? "";
  const sheet = createSheet({
    title: `Pathology report ${document.reference}`,
    createdAt: new Date(result.updatedAtMs),
  });
  const start = drawLetterhead(sheet, {
    organisation,
    title: "Pathology report",
    subtitle:
      document.productName ??
      document.tests.map((id) => core.catalogue.tests.get(id)?.shortName ?? id).join(", "),
  });
  drawStatus(sheet, result, referral);
  let y = drawPatientPanel(sheet, start, {
    person: document.person,
    atMs: result.resultAtMs,
    extra: [],
  });
  y = drawSummary(sheet, y, result);

  const nextPage = () => {
    sheet.addPage();
    const { lastName, firstName } = document.person;
    sheet.text(margin, 28, `${lastName.toUpperCase()}, ${firstName}`, {
      size: 9,
      bold: true,
      width: 300,
    });
    sheet.text(margin, 28, `Pathology report ${document.reference}`, {
      size: 8.5,
      colour: palette.muted,
      width: bodyWidth,
      align: "right",
    });
    sheet.line(margin, 42, pageWidth - margin, 42, palette.hairline);
    return 52;
  };

  for (const group of byCategory(result.released ?? [])) {
    const [first] = group;
    if (!first) continue;
    if (y + 34 + rowHeightOf(first) > bottom) y = nextPage();
    y = drawCategoryTitle(sheet, y, first.view.category.name, false);
    for (const measurement of group) {
      if (y + rowHeightOf(measurement) > bottom) {
        y = drawCategoryTitle(sheet, nextPage(), first.view.category.name, true);
      }
      y = drawBiomarkerRow(sheet, y, measurement);
    }
    y += 12;
  }
  if (y + 24 > bottom) y = nextPage();
  sheet.paragraph(
    margin,
    y,
    "Flags: H above and L below the reference interval; A not as expected, HH and LL critical. Adult reference intervals apply. Results are to be read together with the clinical picture; discuss them with your doctor.",
    { size: 7.5, colour: palette.muted, width: bodyWidth },
  );
  drawFooters(
    sheet,
    "Confidential health information. If this report reached you by mistake, destroy it and tell the sender.",
  );
  return sheet.finish();
}
