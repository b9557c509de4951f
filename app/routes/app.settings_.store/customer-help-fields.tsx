import { Banner, BlockStack, FormLayout, Text, TextField } from "@shopify/polaris";
import { type FormPart, textField } from "../app.settings/form-part.ts";
import type { StoreValues } from "./store-policies.tsx";

/** How customers and patients reach the shop: on every page, and in every email. */
export function CustomerHelpFields({
  accountPageUrl,
  ...part
}: FormPart<StoreValues> & { accountPageUrl: string | null }) {
  return (
    <BlockStack gap="400">
      <Text as="h3" variant="headingMd">
        Help for customers
      </Text>
      <Text as="p" tone="subdued">
        Shown on every page that customers and patients open, and in every email to them. Without an
        email address, the one from your Shopify settings is shown.
      </Text>
      <FormLayout>
        <FormLayout.Group>
          <TextField label="Customer email" type="email" {...textField(part, "helpEmail")} />
          <TextField
            label="Customer phone"
            type="tel"
            inputMode="tel"
            {...textField(part, "helpPhone")}
          />
        </FormLayout.Group>
        <TextField
          label="Opening hours"
          placeholder="Mon to Fri, 9 am to 5 pm"
          {...textField(part, "helpHours")}
        />
      </FormLayout>
      {accountPageUrl && (
        <Banner tone="info" title="Your store has legacy customer accounts">
          <p>
            Customers find their tests at {accountPageUrl}. Link to it from your theme’s account
            page. Emails name it too.
          </p>
        </Banner>
      )}
    </BlockStack>
  );
}
