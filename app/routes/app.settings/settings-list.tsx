import { Link, useLocation, useNavigate } from "@remix-run/react";
import { Badge, BlockStack, Card, InlineStack, Text } from "@shopify/polaris";
import { useEffect } from "react";
import type { SettingsEntry } from "../../modules/reports/settings-words.ts";

/** Lists the pages of the settings: what each holds, and how it stands. */
export function SettingsList({ entries }: { entries: SettingsEntry[] }) {
  useFormerAnchor(entries);
  return (
    <Card padding="0">
      <ul className="pathway-list">
        {entries.map(({ title, url, holds, state, isOpen }) => (
          <li key={url}>
            <Link className="pathway-row-link" to={url}>
              <BlockStack gap="100">
                <InlineStack align="start" gap="200" blockAlign="center">
                  <Text as="h2" variant="headingMd">
                    {title}
                  </Text>
                  {isOpen && <Badge tone="attention">To do</Badge>}
                </InlineStack>
                <Text as="p" tone="subdued">
                  {holds}
                </Text>
                <Text as="p">{state.join(" ")}</Text>
              </BlockStack>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** All settings were one page once: a link to a part of it goes on to the page that has the part now. */
function useFormerAnchor(entries: SettingsEntry[]): void {
  const navigate = useNavigate();
  const anchor = useLocation().hash.slice(1);
  useEffect(() => {
    const found = entries.find(({ anchors }) => anchors.includes(anchor));
    if (found) navigate(`${found.url}#${anchor}`, { replace: true });
  }, [anchor, entries, navigate]);
}
