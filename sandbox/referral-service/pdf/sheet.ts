import PDFDocument from "pdfkit";
import { fontFile, fontRuns } from "./typeface.ts";

/** A4 in points. */
export const pageWidth = 595.28;
export const pageHeight = 841.89;

/** How a text is set. Sizes in points. */
export interface TextStyle {
  size?: number;
  bold?: boolean;
  colour?: string;
  /** Room to the right (or around, when aligned); longer text ends in an ellipsis. */
  width?: number;
  /** The smallest size that a text may shrink to before it is cut. */
  shrinkTo?: number;
  align?: "left" | "right" | "centre";
}

/**
 * A PDF document to draw on, with the origin at the top left. Text is placed by its top edge.
 *
 * The file depends on nothing but its content, so that equal content gives equal bytes.
 */
export interface Sheet {
  doc: PDFKit.PDFDocument;
  /** One line. */
  text(x: number, y: number, text: string, style?: TextStyle): void;
  /** The lines that a text takes at a width; words that are too long are broken. */
  wrap(text: string, style: TextStyle & { width: number }): string[];
  /** Wrapped lines; returns the y below the last. Ends with an ellipsis after `maxLines`. */
  paragraph(
    x: number,
    y: number,
    text: string,
    style: TextStyle & { width: number; maxLines?: number; lineHeight?: number },
  ): number;
  box(x: number, y: number, width: number, height: number, look: BoxLook): void;
  line(x1: number, y1: number, x2: number, y2: number, colour: string, thickness?: number): void;
  widthOf(text: string, style?: TextStyle): number;
  addPage(): void;
  finish(): Promise<Buffer>;
}

export interface BoxLook {
  fill?: string;
  stroke?: string;
  radius?: number;
  thickness?: number;
}

/** Starts an A4 document with its metadata. */
export function createSheet(info: { title: string; createdAt: Date }): Sheet {
  const doc = new PDFDocument({
    size: "A4",
    margin: 0,
    bufferPages: true,
    lang: "en-AU",
    displayTitle: true,
    info: {
      Title: info.title,
      Author: "Referral Ordering and Results Service",
      Producer: "Referral Ordering and Results Service",
      Creator: "Referral Ordering and Results Service",
      CreationDate: info.createdAt,
      ModDate: info.createdAt,
    },
  });
  const chunks: Buffer[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    doc.on("data", (chunk: Buffer) => chunks.push(chunk));
    doc.on("end", () => resolve(Buffer.concat(chunks)));
    doc.on("error", reject);
  });
  const registered = new Set<string>();
  const select = (font: string, size: number) => {
    const file = fontFile(font);
    if (file && !registered.has(font)) {
      doc.registerFont(font, file);
      registered.add(font);
    }
    doc.font(font).fontSize(size);
  };

  const widthOf: Sheet["widthOf"] = (text, { size = 9, bold = false } = {}) =>
    fontRuns(text, bold).reduce((sum, run) => {
      select(run.font, size);
      return sum + doc.widthOfString(run.text);
    }, 0);

  /** How many characters from the start fit, found by halving: cheap for very long input. */
  const fittingLength = (text: string, width: number, style: TextStyle): number => {
    let fits = 0;
    let tooLong = text.length + 1;
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1;
      if (widthOf(text.slice(0, middle), style) <= width) fits = middle;
      else tooLong = middle;
    }
    return fits;
  };

  const shortened = (text: string, style: TextStyle): string => {
    const { width } = style;
    const short = text.slice(0, 400);
    if (width === undefined || widthOf(short, style) <= width) return short;
    return `${short.slice(0, fittingLength(short, width - widthOf("…", style), style))}…`;
  };

  /** The size at which a text fits, not below the smallest allowed. */
  const fittingSize = (text: string, style: TextStyle): number => {
    const { size = 9, shrinkTo = size, width } = style;
    if (width === undefined || shrinkTo >= size) return size;
    const needed = widthOf(text.slice(0, 400), { ...style, size });
    return Math.max(shrinkTo, Math.min(size, (size * width) / needed));
  };

  const text: Sheet["text"] = (x, y, raw, style = {}) => {
    const { bold = false, colour = "#111827", width, align = "left" } = style;
    const size = fittingSize(raw, style);
    const shown = shortened(raw, { ...style, size });
    const free = width === undefined ? 0 : width - widthOf(shown, { ...style, size });
    let left = x + (align === "left" ? 0 : align === "right" ? free : free / 2);
    for (const run of fontRuns(shown, bold)) {
      select(run.font, size);
      // By the baseline, since the fonts differ in how far their letters reach up.
      const baseline = y + (style.size ?? 9) * 0.76;
      doc.fillColor(colour).text(run.text, left, baseline, {
        lineBreak: false,
        baseline: "alphabetic",
      });
      left += doc.widthOfString(run.text);
    }
  };

  const wrap: Sheet["wrap"] = (raw, style) => {
    const lines: string[] = [];
    let line = "";
    for (const word of raw.split(/\s+/).filter((part) => part !== "")) {
      const joined = line === "" ? word : `${line} ${word}`;
      if (widthOf(joined, style) <= style.width) {
        line = joined;
        continue;
      }
      if (line !== "") lines.push(line);
      line = word;
      while (widthOf(line, style) > style.width) {
        const length = Math.max(1, fittingLength(line, style.width, style));
        lines.push(line.slice(0, length));
        line = line.slice(length);
      }
    }
    return line === "" ? lines : [...lines, line];
  };

  return {
    doc,
    text,
    widthOf,
    wrap,
    paragraph(x, y, raw, style) {
      const { size = 9, maxLines = 50, lineHeight = size * 1.3 } = style;
      const lines = wrap(raw, style);
      const shown = lines.slice(0, maxLines);
      const last = shown.length - 1;
      for (const [index, line] of shown.entries()) {
        const cut = index === last && lines.length > maxLines;
        text(x, y + index * lineHeight, cut ? `${line} ${lines[maxLines]}` : line, style);
      }
      return y + shown.length * lineHeight;
    },
    box(x, y, width, height, { fill, stroke, radius = 0, thickness = 0.75 }) {
      const draw = () => doc.roundedRect(x, y, width, height, radius);
      if (fill !== undefined) draw().fill(fill);
      if (stroke !== undefined) draw().lineWidth(thickness).stroke(stroke);
    },
    line(x1, y1, x2, y2, colour, thickness = 0.5) {
      doc.moveTo(x1, y1).lineTo(x2, y2).lineWidth(thickness).stroke(colour);
    },
    addPage() {
      doc.addPage({ size: "A4", margin: 0 });
    },
    finish() {
      doc.end();
      return finished;
    },
  };
}
