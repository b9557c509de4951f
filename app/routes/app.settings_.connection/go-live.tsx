import { Badge, Banner, BlockStack, ChoiceList, InlineStack, Text } from "@shopify/polaris";
import { ENVIRONMENTS, type Environment } from "../../modules/shops/connection.ts";
import { GO_LIVE_CHOICES, GOING_BACK, GOING_LIVE } from "../../modules/shops/policy-words.ts";
import type { FormPart } from "../app.settings/form-part.ts";
import type { PreflightView } from "../app.settings/present-settings.ts";
import { Preflight } from "./preflight.tsx";

interface Props extends FormPart<{ environment: Environment }> {
  saved: Environment;
  connected: Environment[];
  /** Environments that this installation can reach. */
  offered: Environment[];
  /** What real orders need; null when there is nothing to look at. */
  preflight: PreflightView;
}

/** Where new orders go, and what it means to change that. */
export function GoLive({ fields, errors, saved, connected, offered, preflight }: Props) {
  const { values, set } = fields;
  const isLive = saved === "production";
  return (
    <div id="go-live">
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h3" variant="headingMd">
            Go live
          </Text>
          {isLive ? <Badge tone="success">Live</Badge> : <Badge tone="attention">Staging</Badge>}
        </InlineStack>
        <ChoiceList
          title="New orders go to"
          name="environment"
          choices={GO_LIVE_CHOICES.map((choice) =>
            choice.value === saved || connected.includes(choice.value)
              ? choice
              : // Words for what can't be chosen would be too pale to read; the line below says how to get there.
                { ...choice, helpText: undefined, disabled: true },
          )}
          selected={[values.environment]}
          onChange={([value]) => {
            const chosen = ENVIRONMENTS.find((one) => one === value);
            if (chosen) set("environment")(chosen);
          }}
          error={errors.environment}
        />
        {values.environment !== saved && (
          <Banner tone="warning" title={isLive ? GOING_BACK.title : GOING_LIVE.title}>
            <p>{isLive ? GOING_BACK.text : GOING_LIVE.text}</p>
          </Banner>
        )}
        {preflight && <Preflight checks={preflight} />}
        {!isLive && !connected.includes("production") && (
          <Text as="p" tone="subdued">
            {offered.includes("production")
              ? "Connect production above, then choose it here."
              : "Production isn’t set up on this installation of Pathway. Ask whoever runs it for you to add it: it can be chosen here then."}
          </Text>
        )}
      </BlockStack>
    </div>
  );
}
