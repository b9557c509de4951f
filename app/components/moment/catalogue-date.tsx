import { Text } from "@shopify/polaris";
import { Moment } from "./moment.tsx";

/** Says of when the service's catalogue is, from which prices and margins are reckoned. */
export function CatalogueDate({ at }: { at: string }) {
  return (
    <Text as="p" tone="subdued">
      The service’s tests and prices as of <Moment at={at} />. Pathway lists them anew every day.
    </Text>
  );
}
