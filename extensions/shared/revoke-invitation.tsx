import { useApp, useWords } from "./app-context.ts";
import { FailureNotice } from "./notices.tsx";
import type { TestRequest } from "./requests.ts";
import { useAnswer } from "./use-answer.ts";

/** Gets a unit back that was sent to somebody who has not opened the link. */
export function RevokeInvitation({
  request,
  name,
  onTaken,
}: {
  request: TestRequest;
  /** The unit's full name (unit-name.ts). */
  name: string;
  onTaken: (request: TestRequest) => void;
}) {
  const { api } = useApp();
  const words = useWords();
  const [, load, failure, loading] = useAnswer(async () => {
    const outcome = await api.revokeInvitation(request.id);
    if (outcome.ok) onTaken(outcome.value);
    return outcome;
  });

  return (
    <s-stack gap="small">
      <s-stack direction="inline">
        <s-button
          loading={loading}
          disabled={loading}
          accessibilityLabel={words("hand_over.take_back_of", { title: name })}
          onClick={() => void load()}
        >
          {words(loading ? "hand_over.taking_back" : "hand_over.take_back")}
        </s-button>
      </s-stack>
      {failure && <FailureNotice failure={failure} onRetry={() => void load()} />}
    </s-stack>
  );
}
