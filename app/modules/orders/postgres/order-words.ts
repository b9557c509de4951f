import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import type { OrderId } from "../../kernel/ids.ts";

/** Half a hash tells words apart well enough, and takes half the room. */
const BYTES = 16;
const PLACE = { table: "order_words", column: "word", row: "" };

/** A word as it is stored, in hexadecimal: a hash under the shop's key, for equal words the same. */
export const hashWord = ({ sealer }: Pick<Scope, "sealer">, word: string): string =>
  sealer.fingerprint(PLACE, word).toString("hex", 0, BYTES);

/** Makes an order found by these words and by no others. */
export async function writeWords(
  scope: Pick<Scope, "tx" | "shop" | "sealer">,
  { orderId, paidAt, words }: { orderId: OrderId; paidAt: Date; words: string[] },
): Promise<void> {
  const { tx, shop } = scope;
  const hashes = words.map((word) => hashWord(scope, word));
  await unanswered(
    tx,
    Prisma.sql`
    WITH given AS (SELECT decode(hash, 'hex') AS word FROM unnest(${hashes}::text[]) AS hash), gone AS (
      DELETE FROM order_words WHERE shop = ${shop} AND order_id = ${orderId} AND word NOT IN (SELECT word FROM given)
    )
    INSERT INTO order_words (shop, order_id, word, paid_at)
    SELECT ${shop}, ${orderId}, word, ${paidAt} FROM given
    ON CONFLICT (shop, order_id, word) DO UPDATE SET paid_at = EXCLUDED.paid_at
    WHERE order_words.paid_at <> EXCLUDED.paid_at`,
  );
}
