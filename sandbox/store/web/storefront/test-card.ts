/**
 * The outcome of a card number of the sandbox. `test` marks the order as a test order, as Shopify's bogus gateway
 * does.
 */
export type CardOutcome = { ok: true; test: boolean } | { ok: false; message: string };

/** `1`, `2` and `3` are the bogus gateway's; otherwise any number that passes the check digit pays for nothing real. */
export function chargeTestCard(number: string): CardOutcome {
  const digits = number.replace(/[\s-]/g, "");
  if (digits === "1") return { ok: true, test: true };
  if (digits === "2") return { ok: false, message: "Your card was declined." };
  if (digits === "3")
    return { ok: false, message: "There was a problem with the payment. Try again." };
  if (!/^\d{12,19}$/.test(digits) || !passesLuhn(digits)) {
    return { ok: false, message: "Enter a valid card number" };
  }
  return { ok: true, test: false };
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}
