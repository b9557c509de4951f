import {
  BlockStack,
  Button,
  Divider,
  FormLayout,
  InlineStack,
  Text,
  TextField,
} from "@shopify/polaris";
import { SettingsForm, useSettingsForm } from "../../components/form/settings-form.tsx";
import { OTHER_CLIENT } from "../../modules/lifecycle/change-connection-words.ts";
import { connectionForm } from "../app.settings/form-names.ts";
import type { ConnectionView } from "../app.settings/present-settings.ts";
import { type ConnectionValues, EventFields } from "./event-fields.tsx";

type Props = Pick<ConnectionView, "environment" | "connection"> & { now: string };

/** Credentials and signing of one connection. Secrets go in and never come out. */
export function ConnectionForm({ environment, connection, now }: Props) {
  const state = useSettingsForm<ConnectionValues>(connectionForm(environment), {
    clientId: connection?.clientId ?? "",
    clientSecret: "",
    signingScheme: connection?.signingScheme ?? "standard-webhooks",
    signingSecret: "",
    signingHeader: connection?.signingHeader ?? "",
    endFormer: false,
  });
  const { fields, errors } = state;
  const { values, set } = fields;
  const isSaving = state.fetcher.state !== "idle";
  return (
    <SettingsForm state={state} intent="save-connection" right="change_credentials">
      <input type="hidden" name="environment" value={environment} />
      <input type="hidden" name="storedClientId" value={connection?.clientId ?? ""} />
      <input type="hidden" name="credentialsAt" value={connection?.credentialsAt ?? ""} />
      <input type="hidden" name="signingSecretAt" value={connection?.signingSecretAt ?? ""} />
      <BlockStack gap="500">
        <FormLayout>
          <TextField
            label="Client ID"
            name="clientId"
            autoComplete="off"
            spellCheck={false}
            helpText={
              connection && values.clientId !== (connection.clientId ?? "")
                ? OTHER_CLIENT
                : undefined
            }
            value={values.clientId}
            onChange={set("clientId")}
            error={errors.clientId}
          />
          <TextField
            label="Client secret"
            name="clientSecret"
            type="password"
            autoComplete="new-password"
            placeholder={connection ? "Stored" : undefined}
            helpText={
              connection
                ? "Stored encrypted and never shown again. Leave it empty to keep it."
                : "Stored encrypted and never shown again."
            }
            value={values.clientSecret}
            onChange={set("clientSecret")}
            error={errors.clientSecret}
          />
        </FormLayout>
        {connection ? (
          <>
            <Divider />
            <EventFields
              environment={environment}
              connection={connection}
              now={now}
              fields={fields}
              errors={errors}
            />
          </>
        ) : (
          <>
            <input type="hidden" name="signingScheme" value="standard-webhooks" />
            <Text as="p" tone="subdued">
              Once connected, you get the webhook address to enter in the service.
            </Text>
            <InlineStack align="end">
              <Button submit variant="primary" loading={isSaving}>
                Connect
              </Button>
            </InlineStack>
          </>
        )}
      </BlockStack>
    </SettingsForm>
  );
}
