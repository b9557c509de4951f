import { useWords } from "./app-context.ts";
import type { TestRequest } from "./requests.ts";

/** The steps before the collection, the things to bring and where to go, once the form is there; before, that there are steps. */
export function Preparation({ request }: { request: TestRequest }) {
  const words = useWords();
  const { preparation, needsMedicare } = request;
  if (!preparation) return null;
  const { when, steps, finder } = preparation;
  if (when === "later") return <s-paragraph>{words("prepare.later")}</s-paragraph>;
  return (
    <s-stack gap="small">
      {steps && <s-text type="strong">{words("prepare.heading")}</s-text>}
      {steps?.split("\n").map((line) => (
        <s-paragraph key={line}>{line}</s-paragraph>
      ))}
      <s-text type="strong">{words("prepare.bring")}</s-text>
      <s-unordered-list>
        <s-list-item>{words("prepare.bring_form")}</s-list-item>
        <s-list-item>{words("prepare.bring_id")}</s-list-item>
        {needsMedicare && <s-list-item>{words("prepare.bring_card")}</s-list-item>}
      </s-unordered-list>
      {finder && <s-text type="strong">{words("prepare.where")}</s-text>}
      {finder && (
        <s-link href={finder.url} target="_blank">
          {words("prepare.finder", { name: finder.name })}
        </s-link>
      )}
    </s-stack>
  );
}
