import { useWords } from "./app-context.ts";
import type { Failure } from "./failure.ts";

/** Something is on its way; `of` is the key of what. */
export function LoadingNotice({ of }: { of: string }) {
  const words = useWords();
  return (
    <s-stack direction="inline" gap="small" alignItems="center" accessibilityRole="status">
      <s-spinner />
      <s-text>{words(of)}</s-text>
    </s-stack>
  );
}

/** Failures that trying again does not mend. */
const FINAL: Failure["kind"][] = ["not_found", "too_late", "too_often"];

/** Shows what went wrong, what to do, and a way to try again. */
export function FailureNotice({ failure, onRetry }: { failure: Failure; onRetry?: () => void }) {
  const words = useWords();
  return (
    <s-banner tone="critical" heading={words(`failure.${failure.kind}.heading`)}>
      <s-stack gap="small">
        <s-paragraph>{words(`failure.${failure.kind}.advice`)}</s-paragraph>
        {onRetry && !FINAL.includes(failure.kind) && (
          <s-button onClick={onRetry}>{words("failure.retry")}</s-button>
        )}
      </s-stack>
    </s-banner>
  );
}
