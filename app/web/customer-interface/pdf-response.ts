import type { OpenedDocument } from "../../modules/access/open-document.ts";
import { fileDisposition } from "./file-disposition.ts";

/** A stored PDF for the browser of the person it belongs to. Nothing in between may keep a copy. */
export function pdfResponse({ fileName, pdf }: OpenedDocument): Response {
  return new Response(new Uint8Array(pdf), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Length": String(pdf.length),
      "Content-Disposition": fileDisposition("inline", fileName),
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      "Referrer-Policy": "no-referrer",
    },
  });
}
