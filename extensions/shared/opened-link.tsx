import { useWords } from "./app-context.ts";

/**
 * Offers a link for when the page has not gone to an address outside the account: whether it does is for each target to
 * try (docs/shopify.md). The address opens once, so the link works as long as nothing has opened.
 */
export function OpenedLink({ address }: { address: string }) {
  const words = useWords();
  return (
    <s-paragraph>
      {words("opened.nothing_happened")}{" "}
      <s-link href={address} target="_blank">
        {words("opened.open_here")}
      </s-link>
    </s-paragraph>
  );
}
