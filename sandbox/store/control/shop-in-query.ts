import type { Request } from "express";
import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import type { ShopDocument } from "../state/shop.ts";

/** The shop that a control call means: `?shop=`, else the first. */
export function shopInQuery(platform: Platform, request: Request): ShopDocument {
  const { shop: named } = request.query;
  const shop =
    typeof named === "string" ? platform.data.shops.get(named) : platform.data.shops.all()[0];
  if (!shop) throw new Refusal(404, "there is no such shop");
  return shop;
}

/** The text after a fixed beginning of the path: an id, which may be a global id with its slashes, encoded or not. */
export const idInPath = (request: Request): string => request.params["0"] ?? "";
