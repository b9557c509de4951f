import { Banner, Text } from "@shopify/polaris";
import type { HomeView } from "./present-home.ts";

/** Says what somebody should hear of now and nobody is emailed about. */
export function UnheardBanner({ unheard }: Pick<HomeView, "unheard">) {
  return unheard.map(({ sentence, nextStep, action }) => (
    <Banner
      key={sentence}
      tone="critical"
      title={sentence}
      action={{ content: action.label, url: action.url }}
    >
      <Text as="p">{nextStep}</Text>
    </Banner>
  ));
}
