import { Card, Text } from "@shopify/polaris";
import { SettingsForm, useSettingsForm } from "../../components/form/settings-form.tsx";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { POLICIES_FORM } from "../app.settings/form-names.ts";
import type { PoliciesView, ScopesView } from "../app.settings/present-settings.ts";
import { CollectionFinderFields } from "./collection-finder-fields.tsx";
import { CustomerHelpFields } from "./customer-help-fields.tsx";
import { StorePolicies, type StoreValues } from "./store-policies.tsx";

interface Props {
  saved: PoliciesView;
  missingScopes: ScopesView;
  /** Where customers with a legacy account find their tests; null elsewhere. */
  accountPageUrl: string | null;
}

/** How customers reach the store, where patients find a collection centre, and what Pathway writes into Shopify. */
export function StoreSection({ saved, missingScopes, accountPageUrl }: Props) {
  const { help, collectionFinder, markFulfilled, tagOrders, startFlows } = saved;
  const state = useSettingsForm<StoreValues>(POLICIES_FORM, {
    helpEmail: help.email ?? "",
    helpPhone: help.phone ?? "",
    helpHours: help.hours ?? "",
    finderName: collectionFinder?.name ?? "",
    finderUrl: collectionFinder?.url ?? "",
    markFulfilled,
    tagOrders,
    startFlows,
  });
  const part = { fields: state.fields, errors: state.errors };
  return (
    <SettingsSection
      title="Your store"
      description={
        <Text as="p" tone="subdued">
          How customers reach you, where patients find a collection centre, and what Pathway writes
          into Shopify.
        </Text>
      }
    >
      <SettingsForm state={state} intent="save-store">
        <Card>
          <div id="help">
            <CustomerHelpFields {...part} accountPageUrl={accountPageUrl} />
          </div>
        </Card>
        <Card>
          <div id="finder">
            <CollectionFinderFields {...part} />
          </div>
        </Card>
        <Card>
          <StorePolicies {...part} saved={saved} missingScopes={missingScopes} />
        </Card>
      </SettingsForm>
    </SettingsSection>
  );
}
