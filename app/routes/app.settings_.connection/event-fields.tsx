import {
  Banner,
  BlockStack,
  Checkbox,
  FormLayout,
  Select,
  Text,
  TextField,
} from "@shopify/polaris";
import type { Fields } from "../../components/form/use-fields.ts";
import { Moment } from "../../components/moment/moment.tsx";
import { countOf } from "../../modules/kernel/words.ts";
import { SIGNING_SCHEME_NAMES } from "../../modules/lifecycle/connection-words.ts";
import { describeMissedEvents } from "../../modules/lifecycle/missed-events-words.ts";
import {
  type Environment,
  maySkipSignature,
  SIGNING_SCHEMES,
  type SigningScheme,
} from "../../modules/shops/connection.ts";
import type { ConnectionView } from "../app.settings/present-settings.ts";
import { SelfTest } from "./self-test.tsx";
import { WebhookAddress } from "./webhook-address.tsx";

/** The fields of a connection's form. */
export type ConnectionValues = {
  clientId: string;
  clientSecret: string;
  signingScheme: SigningScheme;
  signingSecret: string;
  signingHeader: string;
  endFormer: boolean;
};

interface Props {
  environment: Environment;
  connection: NonNullable<ConnectionView["connection"]>;
  now: string;
  fields: Fields<ConnectionValues>;
  errors: Record<string, string>;
}

/** Unsigned events can be chosen in staging only; one that is stored already is shown, and has to be changed. */
const schemesFor = (environment: Environment, stored: SigningScheme) =>
  SIGNING_SCHEMES.filter(
    (scheme) => scheme !== "none" || maySkipSignature(environment) || stored === "none",
  ).map((value) => ({ value, label: SIGNING_SCHEME_NAMES[value] }));

const describeChange = (until: string | null) =>
  until ? (
    <>
      Each former secret still works for 24 hours after its change, the last one until{" "}
      <Moment at={until} />. Leave it empty to change nothing.
    </>
  ) : (
    "Leave it empty to keep it. After a change, the former secret still works for 24 hours."
  );

/** Where the service sends its events, how they are signed, and when the last one came. */
export function EventFields({ environment, connection, now, fields, errors }: Props) {
  const { values, set } = fields;
  const { signingScheme } = values;
  const isSigned = signingScheme !== "none";
  /** Now, or once it is saved. */
  const hasFormer =
    connection.hasSigningSecret &&
    (connection.previousSecretUntil !== null || values.signingSecret !== "");
  return (
    <BlockStack gap="400">
      <BlockStack gap="100">
        <Text as="h3" variant="headingMd">
          Events
        </Text>
        <Text as="p" tone="subdued">
          {connection.lastEventAt ? (
            <>
              Last event received <Moment at={connection.lastEventAt} now={now} />.{" "}
              {countOf(connection.eventsReceived, "event")} so far.{" "}
              {describeMissedEvents(connection.eventsRepaired)}
            </>
          ) : (
            "No event received yet. Enter this address in the service under Settings, Webhooks."
          )}
        </Text>
      </BlockStack>
      {connection.refusedEvents && (
        <Banner tone="critical" title={connection.refusedEvents.sentence}>
          <p>{connection.refusedEvents.nextStep}</p>
        </Banner>
      )}
      <FormLayout>
        {connection.webhookAddress && (
          <WebhookAddress
            id={`webhook-address-${environment}`}
            address={connection.webhookAddress}
          />
        )}
        {connection.isAddressUnreadable && (
          <Banner tone="warning" title="Pathway can’t read the webhook address that is stored here">
            <p>
              The service may go on sending there. For an address that you can copy, disconnect and
              connect again.
            </p>
          </Banner>
        )}
        <Select
          label="Signature"
          name="signingScheme"
          options={schemesFor(environment, connection.signingScheme)}
          value={signingScheme}
          onChange={(value) => {
            const chosen = SIGNING_SCHEMES.find((scheme) => scheme === value);
            if (chosen) set("signingScheme")(chosen);
          }}
          error={errors.signingScheme}
        />
        {!isSigned && (
          <Banner tone="warning" title="Unsigned events are a risk">
            <p>
              Anybody who learns the address can make Pathway look for news. Nothing is changed or
              shown on the strength of an event alone. Choose a signature before you go live.
            </p>
          </Banner>
        )}
        {isSigned && (
          <TextField
            label="Signing secret"
            name="signingSecret"
            type="password"
            autoComplete="new-password"
            placeholder={connection.hasSigningSecret ? "Stored" : undefined}
            helpText={
              connection.hasSigningSecret
                ? describeChange(connection.previousSecretUntil)
                : "The service shows it when you enter the address there. Unsigned events are turned away."
            }
            value={values.signingSecret}
            onChange={set("signingSecret")}
            error={errors.signingSecret}
          />
        )}
        {isSigned && hasFormer && (
          <Checkbox
            label="End former secrets now"
            helpText="For a secret that may have leaked. Events that are signed with it are then turned away."
            name="endFormer"
            value="true"
            checked={values.endFormer}
            onChange={set("endFormer")}
          />
        )}
        {isSigned && signingScheme !== "standard-webhooks" && (
          <TextField
            label="Header that carries it (optional)"
            name="signingHeader"
            autoComplete="off"
            spellCheck={false}
            value={values.signingHeader}
            onChange={set("signingHeader")}
            error={errors.signingHeader}
          />
        )}
      </FormLayout>
      {connection.webhookAddress && <SelfTest environment={environment} />}
    </BlockStack>
  );
}
