import { Badge, BlockStack, InlineStack, Link, Text } from "@shopify/polaris";
import type { PreflightView } from "../app.settings/present-settings.ts";

/** What real orders need, as it stands now: what is in the way first, then what is advised, then what is done. */
export function Preflight({ checks }: { checks: NonNullable<PreflightView> }) {
  const weight = ({ isMet, isRequired }: (typeof checks)[number]) =>
    isMet ? 2 : isRequired ? 0 : 1;
  return (
    <BlockStack gap="200">
      <Text as="h4" variant="headingSm">
        Before you go live
      </Text>
      <ul className="pathway-checks">
        {checks
          .toSorted((a, b) => weight(a) - weight(b))
          .map((check) => (
            <li key={check.code}>
              <InlineStack align="start" gap="200" blockAlign="start" wrap={false}>
                {check.isMet ? (
                  <Badge tone="success">Ready</Badge>
                ) : check.isRequired ? (
                  <Badge tone="critical">Needed</Badge>
                ) : (
                  <Badge tone="attention">Advised</Badge>
                )}
                <Text as="span">
                  {check.text}{" "}
                  {check.remedy && <Link url={check.remedy.url}>{check.remedy.content}</Link>}
                </Text>
              </InlineStack>
            </li>
          ))}
      </ul>
    </BlockStack>
  );
}
