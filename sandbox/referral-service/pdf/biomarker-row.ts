import type { BiomarkerView, Measurement } from "../results/measurement.ts";
import { bodyWidth, margin } from "./letterhead.ts";
import { palette } from "./palette.ts";
import { drawRangeBar } from "./range-bar.ts";
import type { Sheet } from "./sheet.ts";

/** Left edges of the table's columns. */
const columns = {
  name: margin + 4,
  value: margin + 186,
  flag: margin + 256,
  unit: margin + 274,
  interval: margin + 344,
  bar: margin + 420,
};

const barWidth = margin + bodyWidth - columns.bar - 6;
const rowHeight = 15;
const rangeHeight = 10.5;

/** Points that a biomarker takes, with its additional ranges and notes. */
export function rowHeightOf({ view }: Measurement): number {
  const ranges = view.additionalRanges ? view.additionalRanges.length * rangeHeight + 3 : 0;
  return rowHeight + ranges + (view.notes === null ? 0 : rangeHeight);
}

/** "3.5 – 5.2", "up to 5.5", "from 60", or nothing; with the decimals that the value has. */
function intervalText(low: number | null, high: number | null, value: string): string {
  const decimals = value.split(".")[1]?.length ?? 0;
  const print = (limit: number) => limit.toFixed(decimals);
  if (low !== null && high !== null) return `${print(low)} – ${print(high)}`;
  if (high !== null) return `up to ${print(high)}`;
  if (low !== null) return `from ${print(low)}`;
  return "";
}

/** Column titles; returns the y below. */
export function drawTableHead(sheet: Sheet, y: number): number {
  const style = { size: 6.5, colour: palette.faint };
  sheet.text(columns.name, y, "TEST", style);
  sheet.text(columns.value, y, "RESULT", style);
  sheet.text(columns.unit, y, "UNITS", style);
  sheet.text(columns.interval, y, "REFERENCE INTERVAL", style);
  sheet.line(margin, y + 10, margin + bodyWidth, y + 10, palette.rule, 0.6);
  return y + 13;
}

/** H or L, doubled when critical, A for texts; nothing within the interval. */
function flagOf({ view, severity }: Measurement): string {
  if (!view.isAbnormal) return "";
  const value = Number(view.value);
  if (view.valueType === "string" || Number.isNaN(value)) return "A";
  const flag = view.refIntervalHigh !== null && value > view.refIntervalHigh ? "H" : "L";
  return severity === "critical" ? flag.repeat(2) : flag;
}

function drawNumber(sheet: Sheet, y: number, measurement: Measurement, colour: string): void {
  const { view } = measurement;
  const interval = intervalText(view.refIntervalLow, view.refIntervalHigh, view.value);
  sheet.text(columns.flag, y, flagOf(measurement), { size: 9.5, bold: true, colour });
  sheet.text(columns.unit, y + 0.8, view.unit, { size: 8, colour: palette.muted, width: 68 });
  sheet.text(columns.interval, y + 0.5, interval, {
    size: 8.5,
    width: columns.bar - columns.interval - 4,
  });
  drawRangeBar(
    sheet,
    { x: columns.bar, y: y + 0.6, width: barWidth, thickness: 4 },
    {
      value: Number(view.value),
      low: view.refIntervalLow,
      high: view.refIntervalHigh,
      alarming: view.isAbnormal,
    },
  );
}

function drawRanges(sheet: Sheet, top: number, view: BiomarkerView): number {
  let y = top;
  const style = { size: 7.5, colour: palette.muted };
  for (const range of view.additionalRanges ?? []) {
    const width = columns.interval - columns.value - 4;
    sheet.text(columns.value, y, range.name, { ...style, width });
    const interval = intervalText(range.lowRange, range.highRange, view.value);
    sheet.text(columns.interval, y, interval, { ...style, width: 90 });
    drawRangeBar(
      sheet,
      { x: columns.bar, y: y - 0.4, width: barWidth, thickness: 2.4 },
      {
        value: Number(view.value),
        low: range.lowRange,
        high: range.highRange,
        alarming: false,
      },
    );
    y += rangeHeight;
  }
  return y;
}

/** One biomarker with value, flag, interval and bar; returns the y below. */
export function drawBiomarkerRow(sheet: Sheet, y: number, measurement: Measurement): number {
  const { view } = measurement;
  const height = rowHeightOf(measurement);
  if (view.isAbnormal) {
    sheet.box(margin, y - 2.5, bodyWidth, height - 0.5, { fill: palette.abnormalTint, radius: 2 });
  }
  const colour = view.isAbnormal ? palette.abnormal : palette.ink;
  const isText = view.valueType === "string";
  sheet.text(columns.name, y, view.name, { size: 9, width: columns.value - columns.name - 6 });
  sheet.text(columns.value, y, view.value, {
    size: 9.5,
    bold: true,
    colour,
    width: isText ? bodyWidth - 210 : columns.flag - columns.value - 4,
  });
  if (isText) {
    sheet.text(margin + bodyWidth - 14, y, flagOf(measurement), { size: 9.5, bold: true, colour });
  } else drawNumber(sheet, y, measurement, colour);
  const bottom = drawRanges(sheet, y + rowHeight - 2, view);
  if (view.notes !== null) {
    const style = { size: 7.5, colour: palette.muted, width: bodyWidth - 30 };
    sheet.text(columns.name + 8, bottom, view.notes, style);
  }
  const line = y + height - 3;
  sheet.line(margin, line, margin + bodyWidth, line, palette.hairline, 0.4);
  return y + height;
}
