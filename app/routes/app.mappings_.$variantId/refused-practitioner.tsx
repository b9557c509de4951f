import { useFetcher } from "@remix-run/react";
import { Banner } from "@shopify/polaris";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import type { Words } from "../../modules/kernel/words.ts";

interface Props {
  /** The number of the practitioner whom the service refused; "" when the mapping's is in nobody's list. */
  providerNumber: string;
  words: Words;
}

/** The service refuses who orders this product: said where somebody else can be chosen, or that it was put right. */
export function RefusedPractitioner({ providerNumber, words }: Props) {
  const fetcher = useFetcher<FormAnswer>();
  useAnswer(fetcher, `fixed ${providerNumber}`);
  const fixed = () =>
    fetcher.submit(
      { intent: "fixed", key: providerNumber, providerNumber },
      { method: "post", action: "/app/practitioners" },
    );
  return (
    <Banner
      tone="critical"
      title={words.sentence}
      action={
        providerNumber
          ? { content: "Recheck", loading: fetcher.state !== "idle", onAction: fixed }
          : undefined
      }
      secondaryAction={{ content: "Practitioners", url: "/app/practitioners" }}
    >
      <p>{words.nextStep}</p>
    </Banner>
  );
}
