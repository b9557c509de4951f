import type { Platform } from "../platform.ts";
import type { ShopDocument } from "../state/shop.ts";

/** The caller and their shop. */
export interface Caller {
  platform: Platform;
  shop: ShopDocument;
  scopes: readonly string[];
  /** The admin's own pages see everything; an app sees what scopes and approval give it. */
  isApp: boolean;
}
