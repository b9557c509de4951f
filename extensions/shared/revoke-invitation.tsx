import { useRef, useState } from "preact/hooks";
import { useApp, useWords } from "./app-context.ts";
import type { Failure } from "./failure.ts";
import { FailureNotice } from "./notices.tsx";
import type { TestRequest } from "./requests.ts";

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
  const [failure, setFailure] = useState<Failure | null>(null);
  const [taking, setTaking] = useState(false);
  const busy = useRef(false);

  const take = async () => {
    if (busy.current) return;
    busy.current = true;
    setTaking(true);
    setFailure(null);
    const outcome = await api.revokeInvitation(request.id);
    busy.current = false;
    setTaking(false);
    if (outcome.ok) onTaken(outcome.value);
    else setFailure(outcome.failure);
  };

  return (
    <s-stack gap="small">
      <s-stack direction="inline">
        <s-button
          loading={taking}
          disabled={taking}
          accessibilityLabel={words("hand_over.take_back_of", { title: name })}
          onClick={() => void take()}
        >
          {words(taking ? "hand_over.taking_back" : "hand_over.take_back")}
        </s-button>
      </s-stack>
      {failure && <FailureNotice failure={failure} onRetry={() => void take()} />}
    </s-stack>
  );
}
