import { Banner, Text } from "@shopify/polaris";
import { useMay } from "../../components/document/use-may.ts";
import { refuse } from "../../modules/shops/staff-words.ts";
import type { HomeView } from "./present-home.ts";

/** Says what somebody should hear of now and nobody is emailed about. */
export function UnheardBanner({ unheard }: Pick<HomeView, "unheard">) {
  const may = useMay();
  return unheard.map(({ sentence, nextStep, action }) => (
    <Banner
      key={sentence}
      tone="critical"
      title={sentence}
      action={may(action.right) ? { content: action.label, url: action.url } : undefined}
    >
      <Text as="p">{nextStep}</Text>
      {!may(action.right) && (
        <Text as="p">{refuse(action.right).sentence} Tell one of them now.</Text>
      )}
    </Banner>
  ));
}
