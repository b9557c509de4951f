import { BlockStack, Checkbox, InlineError, InlineStack, Text, TextField } from "@shopify/polaris";
import { useMay } from "../../components/document/use-may.ts";
import { SettingsForm, useSettingsForm } from "../../components/form/settings-form.tsx";
import {
  ALERT_KINDS,
  type AlertKind,
  CONTACT_CHOICES,
  DEFAULT_KINDS,
} from "../../modules/shops/alert.ts";
import { ALERT_HELP, ALERT_NAMES } from "../../modules/shops/alert-words.ts";
import { alertsForm } from "../app.settings/form-names.ts";
import type { AlertRecipientView } from "../app.settings/present-alerts.ts";
import { RemoveRecipient } from "./remove-recipient.tsx";

type Values = { email: string } & Record<AlertKind, boolean>;

/** One address and what it is emailed of; null for the form that adds another. */
export function AlertRecipient({ recipient }: { recipient: AlertRecipientView | null }) {
  const may = useMay();
  const id = recipient?.id ?? "new";
  const isChosen = (kind: AlertKind) =>
    recipient
      ? recipient.kinds.some((one) => one.kind === kind && one.isChosen)
      : DEFAULT_KINDS.includes(kind);
  const state = useSettingsForm<Values>(alertsForm(id), {
    email: recipient?.address ?? "",
    ...(Object.fromEntries(ALERT_KINDS.map((kind) => [kind, isChosen(kind)])) as Record<
      AlertKind,
      boolean
    >),
  });
  const { values, set } = state.fields;
  return (
    <SettingsForm state={state} intent="save-alerts">
      <input type="hidden" name="id" value={id} />
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h3" variant="headingMd" breakWord>
            {headingOf(recipient)}
          </Text>
          {recipient && !recipient.isContact && may("change_policies") && (
            <RemoveRecipient id={id} address={recipient.address ?? ""} />
          )}
        </InlineStack>
        {recipient?.isContact ? (
          <Text as="p" breakWord>
            {recipient.address ?? "Not known yet. Pathway learns it with your first order."}
          </Text>
        ) : (
          <TextField
            label="Email address"
            name="email"
            type="email"
            autoComplete="off"
            value={values.email}
            onChange={set("email")}
            error={state.errors.email}
          />
        )}
        {recipient?.isRefused && (
          <InlineError
            fieldID={`refused-${id}`}
            message="The last alert couldn’t be delivered to this address. Check its spelling, or choose another."
          />
        )}
        <BlockStack gap="100">
          {(recipient?.isContact ? CONTACT_CHOICES : ALERT_KINDS).map((kind) => (
            <Checkbox
              key={kind}
              label={ALERT_NAMES[kind]}
              helpText={isStopped(recipient, kind) ? STOPPED : ALERT_HELP[kind]}
              name={kind}
              value="true"
              checked={values[kind]}
              onChange={(isOn) => state.fields.set(kind)(isOn as Values[typeof kind])}
            />
          ))}
        </BlockStack>
      </BlockStack>
    </SettingsForm>
  );
}

const STOPPED = "Stopped with the link in an email. Tick it to start these emails again.";

const isStopped = (recipient: AlertRecipientView | null, kind: AlertKind): boolean =>
  recipient?.kinds.some((one) => one.kind === kind && one.isStopped) ?? false;

function headingOf(recipient: AlertRecipientView | null): string {
  if (!recipient) return "Add somebody";
  return recipient.isContact ? "Your shop’s contact address" : (recipient.address ?? "");
}
