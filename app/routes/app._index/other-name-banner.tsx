import { Banner, Text } from "@shopify/polaris";
import type { HomeView } from "./present-home.ts";

/** Says that orders wait because the store had the app under another name. */
export function OtherNameBanner({ words }: { words: HomeView["otherName"] }) {
  if (!words) return null;
  const { title, sentences, action } = words;
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
