import { z } from "zod";
import { Prisma } from "../../../../generated/prisma/client.ts";
import type { Scope } from "../../../../platform/database/scope.ts";
import type { ShopDomain } from "../../../kernel/ids.ts";
import { hashWord } from "../../../orders/postgres/order-words.ts";
import { soughtWords } from "../../../orders/search-words.ts";
import type { OrderQuery } from "../../order-selection.ts";
import { isAscending, within } from "./order-selection.ts";

/** Of two words, the rarer one is walked along; above this both are common, and meet soon. */
const COUNTED = 300;
const countRows = z.array(z.object({ word: z.string(), count: z.number() }));

/**
 * The words that an order must have to be found, the rarest first, as they are stored; null when no order has them all, as
 * far as that shows already. A pair stands for its two words wherever somebody's name is made of them.
 */
export async function rarestWords(
  scope: Pick<Scope, "tx" | "shop" | "sealer">,
  typed: string,
): Promise<string[] | null> {
  const sought = soughtWords(typed);
  if (!sought) return null;
  const { words, pairs } = sought;
  const hashOf = new Map(
    [...words, ...pairs.map(({ pair }) => pair)].map((word) => [word, hashWord(scope, word)]),
  );
  const rows = countRows.parse(
    await scope.tx.$queryRaw`
      SELECT hash AS word, (
        SELECT count(*)::int FROM (
          SELECT FROM order_words WHERE shop = ${scope.shop} AND word = decode(hash, 'hex') LIMIT ${COUNTED}
        ) AS counted
      ) AS count
      FROM unnest(${[...hashOf.values()]}::text[]) AS hash`,
  );
  const countOf = (word: string) => rows.find((row) => row.word === hashOf.get(word))?.count ?? 0;
  if (words.some((word) => countOf(word) === 0)) return null;
  const [best] = pairs
    .filter(({ pair }) => countOf(pair) > 0)
    .toSorted((one, other) => countOf(one.pair) - countOf(other.pair));
  const needed = best ? [best.pair, ...words.filter((word) => !best.of.includes(word))] : words;
  return needed
    .toSorted((one, other) => countOf(one) - countOf(other))
    .flatMap((word) => hashOf.get(word) ?? []);
}

/** Orders that have all of some words, by payment: a walk along the first word that looks at the others in passing. */
export function ordersByWords(
  shop: ShopDomain,
  [first, ...others]: string[],
  query: OrderQuery,
): Prisma.Sql {
  const direction = isAscending(query) ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  const has = others.map(
    (word) => Prisma.sql`AND EXISTS (
        SELECT FROM order_words x
        WHERE x.shop = ${shop} AND x.order_id = w.order_id AND x.word = decode(${word}, 'hex'))`,
  );
  const page = { ...query, orderMode: null, paidFrom: null, paidUntil: null };
  return Prisma.sql`
    SELECT order_id, row_number() OVER (ORDER BY paid_at ${direction}, order_id ${direction}) AS place
    FROM (
      SELECT paid_at, order_id FROM order_words w
      WHERE shop = ${shop} AND word = decode(${first}, 'hex') AND ${within(shop, page, Prisma.sql`paid_at`)}
        ${has.length > 0 ? Prisma.join(has, " ") : Prisma.empty}
      ORDER BY paid_at ${direction}, order_id ${direction} LIMIT ${query.size + 1}
    ) walked`;
}
