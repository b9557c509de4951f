import { CopyField } from "../../components/form/copy-field.tsx";

/** The address for the service's webhook settings, ready to copy. */
export function WebhookAddress({ id, address }: { id: string; address: string }) {
  return (
    <CopyField
      id={id}
      label="Webhook address"
      value={address}
      what="the webhook address"
      helpText="Keep this address and the signing secret private."
    />
  );
}
