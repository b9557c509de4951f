import { BlockStack, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import type { RequestView } from "./present-order.ts";

/** Whether there is a patient, since when and from whom. Who it is stays between the customer and the service. */
export function PatientSlot({ patient }: { patient: NonNullable<RequestView["patient"]> }) {
  const { text, at, note } = patient;
  return (
    <BlockStack gap="050">
      <span>{text}</span>
      {(at || note) && (
        <Text as="span" tone="subdued" variant="bodySm">
          {at && <Moment at={at} />}
          {at && note && " · "}
          {note}
        </Text>
      )}
    </BlockStack>
  );
}
