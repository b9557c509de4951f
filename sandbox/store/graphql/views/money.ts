import { amount } from "../../webhooks/payloads/money.ts";

/** MoneyV2 */
export const moneyV2 = (cents: number, currencyCode: string) => ({
  amount: amount(cents),
  currencyCode,
});

/** MoneyBag: the shop's currency is the buyer's. */
export const moneyBag = (cents: number, currencyCode: string) => ({
  shopMoney: moneyV2(cents, currencyCode),
  presentmentMoney: moneyV2(cents, currencyCode),
});
