import { useRevalidator } from "@remix-run/react";
import { Banner, type BannerHandles } from "@shopify/polaris";
import { useEffect, useRef, useState } from "react";

/** Says that nothing was saved, because somebody else was faster, and shows on request what they saved. */
export function ChangedMeanwhile({ sentence }: { sentence: string }) {
  const banner = useRef<BannerHandles>(null);
  const { revalidate } = useRevalidator();
  const [isDone, setDone] = useState(false);
  useEffect(() => banner.current?.focus(), []);
  if (isDone) return null;
  return (
    <Banner
      ref={banner}
      tone="critical"
      title="Nothing was saved"
      action={{
        content: "Show what is saved now",
        onAction: () => {
          setDone(true);
          revalidate();
        },
      }}
    >
      <p>{sentence} Look at it first, then make your change again.</p>
    </Banner>
  );
}
