import { Banner } from "@shopify/polaris";
import { countOf } from "../../modules/kernel/words.ts";

/** Says why nobody reads what waits for a release, and what to do about it. */
export function HiddenResults({ held }: { held: number }) {
  return (
    <Banner tone="warning" title="The patient has hidden these results">
      <p>
        {`They withdrew their consent, so nobody can read the results in Pathway. ${countOf(held, "result")} ${held === 1 ? "waits" : "wait"} for a release.`}
      </p>
      <p>
        Ask the laboratory or the service whether something was found that can’t wait, and ring the
        patient if so. Then release what waits: the alerts about it end.
      </p>
    </Banner>
  );
}
