import type { ProviderNumber } from "../organisations/provider-number-store.ts";

/**
 * The advisory text of interface §2.1 `routingMessage`: whether the practitioner's Medicare results
 * come back by themselves, and what to do when they do not. It never blocks an order (rule 11).
 */
export function routingMessage(provider: ProviderNumber): string {
  return provider.routing
    ? `Results ordered under provider number ${provider.providerNumber} are routed back automatically.`
    : `Results ordered under provider number ${provider.providerNumber} are not routed back automatically. ` +
        "Ask the laboratory to add this service as a results recipient for the provider number, " +
        "then switch on result routing under Settings, Provider Numbers.";
}
