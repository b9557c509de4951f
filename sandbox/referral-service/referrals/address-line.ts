import type { Address } from "./referral.ts";

/** Street, town, state and postcode in one line. */
export function addressLine(address: Address | string): string {
  if (typeof address === "string") return address;
  const { addressLine1, addressLine2, city, state, postCode, country } = address;
  const abroad = /^(au|aus|australia)$/i.test(country.trim()) ? [] : [country];
  return [addressLine1, addressLine2, `${city} ${state} ${postCode}`, ...abroad]
    .filter((part) => part !== null && part.trim() !== "")
    .join(", ");
}
