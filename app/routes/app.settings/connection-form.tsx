import { useFetcher } from "@remix-run/react";
import {
  BlockStack,
  Button,
  Divider,
  FormLayout,
  InlineStack,
  Text,
  TextField,
} from "@shopify/polaris";
import { useRef } from "react";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFields } from "../../components/form/use-fields.ts";
import { useUnsaved } from "../../components/save-bar/use-unsaved.ts";
import { type ConnectionValues, EventFields } from "./event-fields.tsx";
import { connectionForm } from "./form-names.ts";
import type { ConnectionView } from "./present-settings.ts";

type Props = Pick<ConnectionView, "environment" | "connection"> & { now: string };

/** Credentials and signing of one connection. Secrets go in and never come out. */
export function ConnectionForm({ environment, connection, now }: Props) {
  const fetcher = useFetcher<FormAnswer>();
  const ref = useRef<HTMLFormElement>(null);
  const fields = useFields<ConnectionValues>({
    clientId: connection?.clientId ?? "",
    clientSecret: "",
    signingScheme: connection?.signingScheme ?? "standard-webhooks",
    signingSecret: "",
    signingHeader: connection?.signingHeader ?? "",
  });
  const { values, set } = fields;
  const answer = useAnswer(fetcher, connectionForm(environment), fields.reset);
  const isSaving = fetcher.state !== "idle";
  useUnsaved({
    isDirty: fields.isDirty,
    isSaving,
    save: () => ref.current?.requestSubmit(),
    discard: fields.reset,
  });
  return (
    <fetcher.Form method="post" ref={ref} noValidate>
      <input type="hidden" name="intent" value="save-connection" />
      <input type="hidden" name="environment" value={environment} />
      <input type="hidden" name="storedClientId" value={connection?.clientId ?? ""} />
      <BlockStack gap="500">
        <FormLayout>
          <TextField
            label="Client ID"
            name="clientId"
            autoComplete="off"
            spellCheck={false}
            value={values.clientId}
            onChange={set("clientId")}
            error={answer?.errors?.clientId}
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
            error={answer?.errors?.clientSecret}
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
              errors={answer?.errors ?? {}}
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
    </fetcher.Form>
  );
}
