import { Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import type { EntryView } from "./present-order.ts";

/** One entry: what happened, who did it and when. The evidence for it where that is asked for. */
export function TimelineItem({ entry, withEvidence }: { entry: EntryView; withEvidence: boolean }) {
  return (
    <li>
      <Text as="p">{entry.sentence}</Text>
      <Text as="p" tone="subdued" variant="bodySm">
        {entry.who} · <Moment at={entry.at} />
        {entry.about && ` · ${entry.about}`}
      </Text>
      {withEvidence && entry.evidence.length > 0 && (
        <Text as="p" tone="subdued" variant="bodySm" breakWord>
          {entry.evidence.map(({ name, text, isTime }, index) => (
            <span key={name}>
              {index > 0 && " · "}
              {name} {isTime ? <Moment at={text} /> : text}
            </span>
          ))}
        </Text>
      )}
    </li>
  );
}
