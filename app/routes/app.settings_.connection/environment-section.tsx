import { Card, Text } from "@shopify/polaris";
import { SettingsForm, useSettingsForm } from "../../components/form/settings-form.tsx";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import type { Environment } from "../../modules/shops/connection.ts";
import { POLICIES_FORM } from "../app.settings/form-names.ts";
import type { PreflightView } from "../app.settings/present-settings.ts";
import { GoLive } from "./go-live.tsx";

interface Props {
  saved: Environment;
  preflight: PreflightView;
  connected: Environment[];
  offered: Environment[];
}

/** Where new orders go: going live, and the way back. */
export function EnvironmentSection({ saved, ...rest }: Props) {
  const state = useSettingsForm<{ environment: Environment }>(POLICIES_FORM, {
    environment: saved,
  });
  return (
    <SettingsSection
      title="Go live"
      description={
        <Text as="p" tone="subdued">
          Chooses where new paid orders are sent. You can go back at any time.
        </Text>
      }
    >
      <Card>
        <SettingsForm state={state} intent="choose-environment">
          <GoLive fields={state.fields} errors={state.errors} saved={saved} {...rest} />
        </SettingsForm>
      </Card>
    </SettingsSection>
  );
}
