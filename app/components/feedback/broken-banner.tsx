import { Banner } from "@shopify/polaris";
import { describeBroken } from "../../modules/catalogue/broken-words.ts";

/** Products that would be bought in vain: to be mapped again before somebody does. */
export function BrokenBanner({ count }: { count: number }) {
  if (count === 0) return null;
  const { title, text, action } = describeBroken(count);
  return (
    <Banner tone="critical" title={title} action={action}>
      <p>{text}</p>
    </Banner>
  );
}
