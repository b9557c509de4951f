import { Banner, List } from "@shopify/polaris";
import { useEffect, useRef } from "react";
import type { useFields } from "./use-fields.ts";

/**
 * Offers what was typed while the form shows what somebody else saved. `refused`: why it was not saved, where the same banner
 * says so. `lines`: what was typed, where that can be read without the form.
 */
export function KeptChanges({
  fields: { kept, settle },
  refused,
  lines = [],
}: {
  fields: Pick<ReturnType<typeof useFields>, "kept" | "settle">;
  refused?: string | undefined;
  lines?: string[];
}) {
  const banner = useRef<HTMLDivElement>(null);
  const isShown = kept !== null;
  useEffect(() => {
    if (isShown) banner.current?.querySelector("button")?.focus();
  }, [isShown]);
  if (!isShown) return null;
  return (
    <div ref={banner}>
      <Banner
        tone={refused ? "critical" : "warning"}
        title={refused ? "Nothing was saved" : "Your changes are not saved"}
        action={{ content: "Put my changes back", onAction: () => settle("put_back") }}
        secondaryAction={{ content: "Leave them", onAction: () => settle("leave") }}
      >
        {refused && <p>{refused}</p>}
        <p>The form shows what is saved now. Compare, then put your changes back and save them.</p>
        {lines.length > 0 && (
          <List>
            {lines.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
        )}
      </Banner>
    </div>
  );
}
