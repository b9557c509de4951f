import type { NextFunction, Request, Response } from "express";

/** Far more than the longest form of ours. */
const USUAL_BYTES = 256 * 1024;

/**
 * Answers 413 to a body that no page asks for. Pages read a form as a whole, also those that anybody may call, so that
 * without a limit one sender could fill the process's memory. A page that is in `measuresItself` reads its body piece by
 * piece and knows better. Of a body without a length the bytes are counted as they come.
 */
export function limitBodies(measuresItself: readonly string[], mostBytes = USUAL_BYTES) {
  return (request: Request, response: Response, next: NextFunction): void => {
    // Remix's own calls of a page go to the same address with an ending.
    const isMeasured = !measuresItself.includes(request.path.replace(/\.data$/, ""));
    if (isMeasured && Number(request.headers["content-length"] ?? 0) > mostBytes) {
      // The rest of the body is read and thrown away.
      request.resume();
      refuse(response);
      return;
    }
    if (isMeasured && request.headers["transfer-encoding"] !== undefined) {
      let bytes = 0;
      request.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= mostBytes) return;
        refuse(response);
        request.destroy();
      });
      // The body waits until its reader begins.
      request.pause();
    }
    next();
  };
}

function refuse(response: Response): void {
  if (response.headersSent) return;
  response.status(413).set("Connection", "close").type("text").send("This is more than a form.");
}
