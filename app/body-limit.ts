import type { NextFunction, Request, Response } from "express";
import { MAX_BODY_BYTES } from "./web/limits.ts";

const UPLOADS = ["/app/mappings/import"];

/**
 * Answers 413 to a body that is longer than its page asks for. Pages read a form as a whole, also those that anybody may
 * call, so that without a limit one sender could fill the process's memory. Of a body without a length the bytes are
 * counted as they come.
 */
export function limitBodies(request: Request, response: Response, next: NextFunction): void {
  // Remix's own calls of a page go to the same address with an ending.
  const isUpload = UPLOADS.includes(request.path.replace(/\.data$/, ""));
  const maxBytes = MAX_BODY_BYTES[isUpload ? "upload" : "form"];
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    refuse(response);
    return;
  }
  if (request.headers["transfer-encoding"] !== undefined) {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) return;
      refuse(response);
      request.destroy();
    });
    // The body waits until its reader begins.
    request.pause();
  }
  next();
}

function refuse(response: Response): void {
  if (response.headersSent) return;
  response.status(413).type("text").send("This is more than a form.");
}
