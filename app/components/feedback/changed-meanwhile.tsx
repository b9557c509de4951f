import { Banner, type BannerHandles } from "@shopify/polaris";
import { useEffect, useRef } from "react";

/** Says that nothing was saved, because somebody else was faster, where nothing that was typed is left to be put back. */
export function ChangedMeanwhile({ sentence }: { sentence: string }) {
  const banner = useRef<BannerHandles>(null);
  useEffect(() => banner.current?.focus(), []);
  return (
    <Banner ref={banner} tone="critical" title="Nothing was saved">
      <p>{sentence} The form shows what is saved now.</p>
    </Banner>
  );
}
