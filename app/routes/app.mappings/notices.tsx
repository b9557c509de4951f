import { useFetcher } from "@remix-run/react";
import { Banner } from "@shopify/polaris";
import { useRereading } from "../../components/loading/use-rereading.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { addressOf } from "./address.ts";
import type { MappingsView } from "./present-mappings.ts";
import type { Selection } from "./selection.ts";
import { UnmappedSales } from "./unmapped-sales.tsx";

const READ_AGAIN_MS = 2_000;

/** Shows what matters most about the whole page just now. Failing orders and missed orders do not hide each other. */
export function Notices({ view }: { view: MappingsView & { selection: Selection } }) {
  const publisher = useFetcher();
  if (!view.hasCatalogue)
    return (
      <Banner
        title="Connect to the referral service first"
        action={{ content: "Open settings", url: "/app/settings/connection" }}
      >
        <p>Its catalogue of tests and bundles is what your products are mapped to.</p>
      </Banner>
    );
  if (view.freshness === "reading") return <Reading shown={view} />;
  if (view.freshness === "stale")
    return (
      <Banner tone="warning" title="Shopify isn’t answering just now">
        <p>
          You see your products as they were last read. Mapping works; reload the page in a minute
          to see what has changed.
        </p>
      </Banner>
    );
  const isBroken = view.counts.broken > 0 && view.selection.state !== "broken";
  if (isBroken || view.unmappedSales.length > 0)
    return (
      <>
        {isBroken && <Broken view={view} />}
        <UnmappedSales view={view} />
      </>
    );
  if (view.copies > 0)
    return (
      <Banner
        tone="info"
        title={`${countOf(view.copies, "unmapped variant")} ${view.copies === 1 ? "looks" : "look"} like a copy of a mapped one`}
        action={{
          content: "Show what is unmapped",
          url: addressOf({ environment: view.selection.environment, state: "unmapped" }),
        }}
      >
        <p>
          Duplicating a product in Shopify doesn’t copy its mapping. Copy it here with one click.
        </p>
      </Banner>
    );
  if (view.publishFailure)
    return (
      <Banner
        tone="warning"
        title="Some product pages don’t show their test details"
        action={{
          content: "Write again",
          loading: publisher.state !== "idle",
          onAction: () =>
            publisher.submit({ intent: "publish" }, { method: "post", action: "/app/mappings" }),
        }}
      >
        <p>{view.publishFailure}</p>
      </Banner>
    );
  return null;
}

function Broken({ view }: { view: MappingsView & { selection: Selection } }) {
  const { broken } = view.counts;
  return (
    <Banner
      tone="critical"
      title={`${countOf(broken, "mapping")} ${broken === 1 ? "is" : "are"} broken`}
      action={{
        content: "Show them",
        url: addressOf({ environment: view.selection.environment, state: "broken" }),
      }}
    >
      <p>The service would refuse orders for them. Choose what they order now.</p>
    </Banner>
  );
}

/** The first reading of a large store takes a while; what is there can be used. */
function Reading({ shown }: { shown: MappingsView }) {
  useRereading(true, READ_AGAIN_MS);
  const known = Object.values(shown.counts).reduce((sum, count) => sum + count, 0);
  return (
    <Banner title="Reading your products from Shopify">
      <p>{countOf(known, "variant")} so far. You can begin to map; the list grows by itself.</p>
    </Banner>
  );
}
