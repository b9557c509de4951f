/** Rendered PDFs of late, so that repeated downloads cost nothing. */
export interface PdfCache {
  get(key: string, render: () => Promise<Buffer>): Promise<Buffer>;
}

const maxEntries = 64;

/** Keeps the most recently used PDFs; simultaneous requests share one rendering. */
export function createPdfCache(): PdfCache {
  const entries = new Map<string, Promise<Buffer>>();
  return {
    get(key, render) {
      const pdf = entries.get(key) ?? render();
      entries.delete(key);
      entries.set(key, pdf);
      pdf.catch(() => entries.delete(key));
      const oldest = entries.keys().next().value;
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
      return pdf;
    },
  };
}
