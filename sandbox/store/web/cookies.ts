import type { Request, Response } from "express";

/** Value of one cookie of the request, decoded; null when there is none or it cannot be decoded. */
export function readCookie(request: Request, name: string): string | null {
  for (const part of (request.headers.cookie ?? "").split(";")) {
    const separator = part.indexOf("=");
    if (separator < 0 || part.slice(0, separator).trim() !== name) continue;
    try {
      return decodeURIComponent(part.slice(separator + 1).trim());
    } catch {
      return null;
    }
  }
  return null;
}

/** Sets a cookie that scripts cannot read and other sites cannot send along. */
export function writeCookie(response: Response, name: string, value: string): void {
  response.cookie(name, value, { httpOnly: true, sameSite: "lax", path: "/" });
}

export function clearCookie(response: Response, name: string): void {
  response.clearCookie(name, { httpOnly: true, sameSite: "lax", path: "/" });
}
