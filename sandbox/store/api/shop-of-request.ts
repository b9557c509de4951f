import type { Request } from "express";
import type { Platform } from "../platform.ts";
import type { ShopDocument } from "../state/shop.ts";

/**
 * The shop that a call is meant for. In the world outside it is the host of the address; here all shops share one
 * address, and the host comes in X-Forwarded-Host. Without one it is the first shop; undefined for an unknown one.
 */
export function shopOfRequest(platform: Platform, request: Request): ShopDocument | undefined {
  const host = request.get("x-forwarded-host") ?? request.get("host") ?? "";
  const domain = host.split(":")[0] ?? "";
  if (domain.endsWith(".myshopify.com")) return platform.data.shops.get(domain);
  return platform.data.shops.all()[0];
}
