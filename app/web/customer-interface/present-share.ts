import type { OwnShare } from "../../modules/access/share-result.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import { writeToken } from "./token.ts";

/** A share as its owner gives it away: the address and the passcode. */
export const presentShare = (
  { id, resultId, token, passcode, expiresAt, opens }: OwnShare,
  { shop, appUrl }: { shop: ShopDomain; appUrl: string },
) => ({
  id,
  resultId,
  url: `${appUrl}/shares/${writeToken(shop, token)}`,
  passcode,
  expiresAt,
  opens,
});
