import { Text } from "@shopify/polaris";
import { Moment } from "../moment/moment.tsx";

export interface WaitView {
  kind: "connection" | "service" | "credentials" | "pause" | "practitioner" | "details";
  since: string;
  remindedAt: string | null;
}

/** The things that an order waits for and since when, one line each. No click on the order hastens them. */
export function Waits({ waits }: { waits: WaitView[] }) {
  return waits.map((wait) => (
    <Text key={wait.kind} as="p" variant="bodySm" tone="subdued">
      <WaitText {...wait} />
    </Text>
  ));
}

function WaitText({ kind, since, remindedAt }: WaitView) {
  switch (kind) {
    case "connection":
      return (
        <>
          Waiting until the service is connected again under Settings, Connection. Nothing is sent,
          and no form or result arrives meanwhile
        </>
      );
    case "service":
      return (
        <>
          Waiting for the service, which has taken no calls since <Moment at={since} />
        </>
      );
    case "credentials":
      return (
        <>
          Waiting until credentials that work are entered under Settings, Connection, since{" "}
          <Moment at={since} />
        </>
      );
    case "pause":
      return (
        <>
          Paused since <Moment at={since} />: Pathway’s database was restored. It’s sent by itself
          once the service’s list was compared
        </>
      );
    case "practitioner":
      return (
        <>
          Waiting for the practitioner to be verified by the service, since <Moment at={since} />
        </>
      );
    default:
      return (
        <>
          Waiting for the patient’s details since <Moment at={since} />
          {remindedAt ? (
            <>
              ; last reminder <Moment at={remindedAt} />
            </>
          ) : (
            "; not reminded yet"
          )}
        </>
      );
  }
}
