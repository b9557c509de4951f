import type { Cost } from "./cost.ts";
import { describeCost } from "./mapping-words.ts";

/** The price of a deed in words: the end of its button, and a sentence. */
export interface PriceWords {
  /** " for $45.00"; empty when there is no sum to name. */
  suffix: string;
  sentence: string;
}

/** Describes the price of what a product is mapped to, for each unit that is sold. */
export function describeUnitPrice(cost: Cost | null): PriceWords {
  const { suffix, sentence } = describePrice([cost]);
  return { suffix: suffix && `${suffix.replace("for", "at")} each`, sentence };
}

/** Describes what the service charges for some tests. Null among the costs stands for one that nobody knows. */
export function describePrice(costs: readonly (Cost | null)[]): PriceWords {
  const known = costs.flatMap((cost) => cost ?? []);
  const unknown = costs.length - known.length;
  const cents = known.reduce((sum, cost) => sum + cost.cents, 0);
  const isEstimate = known.some((one) => one.isEstimate);
  if (known.length === 0)
    return {
      suffix: "",
      sentence:
        "The price isn’t known: the service’s catalogue doesn’t say it. The service charges your organisation.",
    };
  if (cents === 0 && unknown === 0)
    return { suffix: "", sentence: "The service charges your organisation nothing for it." };
  const sum = describeCost({ cents, isEstimate });
  if (unknown > 0)
    return {
      suffix: ` for more than ${sum}`,
      sentence: `The service charges ${sum} for ${known.length} of ${costs.length} tests. The price of the others isn’t known: its catalogue doesn’t say it.`,
    };
  const each = costs.length > 1 ? " in all" : "";
  return {
    suffix: ` for ${sum}`,
    sentence: isEstimate
      ? `The service charges ${sum}${each}, the sum of the tests in it: its catalogue has no price for bundles.`
      : `The service charges ${sum}${each}, by its catalogue.`,
  };
}
