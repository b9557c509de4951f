import { Banner, BlockStack, Text } from "@shopify/polaris";
import type { OutageWords } from "../../modules/lifecycle/connection-words.ts";
import { Moment } from "../moment/moment.tsx";

export type OutageView = Omit<OutageWords, "since"> & { since: string };

/** An outage as a page carries it. */
export const presentOutage = (outage: OutageWords | null): OutageView | null =>
  outage && { ...outage, since: outage.since.toISOString() };

/** What is wrong with the service, since when, what happens by itself and what to do. */
export function OutageText({ outage }: { outage: OutageView }) {
  return (
    <BlockStack gap="100">
      <Text as="p">
        {outage.sentence} It has been so since <Moment at={outage.since} />.
      </Text>
      <Text as="p">{outage.byItself}</Text>
      <Text as="p">{outage.nextStep}</Text>
    </BlockStack>
  );
}

/** Stands above every page while the service is away for longer than a passing trouble. */
export function OutageBanner({ outage }: { outage: OutageView }) {
  return (
    <Banner tone="critical" title={outage.title} action={outage.action ?? undefined}>
      <OutageText outage={outage} />
    </Banner>
  );
}
