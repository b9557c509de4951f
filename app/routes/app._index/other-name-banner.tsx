import { Banner, Text } from "@shopify/polaris";
import type { HomeView } from "./present-home.ts";

/** Says that orders wait because it is in doubt whose they are. */
export function StoreDoubtBanner({ doubt }: { doubt: HomeView["storeDoubt"] }) {
  if (!doubt) return null;
  const { title, sentences, action } = doubt;
  return (
    <Banner tone="critical" title={title} action={action}>
      {sentences.map((sentence) => (
        <Text as="p" key={sentence}>
          {sentence}
        </Text>
      ))}
    </Banner>
  );
}
