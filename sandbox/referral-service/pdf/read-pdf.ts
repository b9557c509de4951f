import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

const require = createRequire(import.meta.url);
const fonts = join(dirname(require.resolve("pdfjs-dist/package.json")), "standard_fonts/");

/** Gaps come as items of their own; runs of one word in several fonts follow without one. */
function textOf(item: { str: string; hasEOL: boolean }): string {
  return item.hasEOL ? `${item.str}\n` : item.str;
}

/** The text of each page of a PDF, as a reader would extract it. */
export async function readPdf(bytes: Uint8Array): Promise<string[]> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    standardFontDataUrl: fonts,
  });
  const document = await task.promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const content = await (await document.getPage(number)).getTextContent();
    pages.push(content.items.map((item) => ("str" in item ? textOf(item) : "")).join(""));
  }
  await task.destroy();
  return pages.map((page) => page.replace(/\s+/g, " "));
}
