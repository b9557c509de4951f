/** `12950` → `"129.50"` */
export const amount = (cents: number): string => (cents / 100).toFixed(2);

/** An amount in the shop's and the buyer's currency, which are the same here. */
export function moneySet(cents: number, currencyCode: string) {
  const money = { amount: amount(cents), currency_code: currencyCode };
  return { shop_money: money, presentment_money: money };
}
