import { useRef, useState } from "preact/hooks";
import { useApp, useWords } from "./app-context.ts";
import type { Failure } from "./failure.ts";
import { typedValue } from "./field-event.ts";
import { FailureNotice } from "./notices.tsx";
import type { TestRequest } from "./requests.ts";

interface Props {
  requestId: string;
  onSent: (email: string, request: TestRequest) => void;
  onFillInMyself: () => void;
  onBack: () => void;
}

/** Hands a unit over to its patient, who gets a link of their own and alone sees form and results. */
export function HandOverForm({ requestId, onSent, onFillInMyself, onBack }: Props) {
  const { api } = useApp();
  const words = useWords();
  const email = useRef("");
  const [error, setError] = useState<string | undefined>();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [sending, setSending] = useState(false);
  // Known at once, while `sending` is known at the next drawing only: two quick presses are one.
  const busy = useRef(false);

  const submit = async () => {
    if (busy.current) return;
    const address = email.current.trim();
    setFailure(null);
    setError(undefined);
    busy.current = true;
    setSending(true);
    const outcome = await api.handOver(requestId, address);
    busy.current = false;
    setSending(false);
    if (outcome.ok) return onSent(address, outcome.value);
    if (outcome.failure.kind !== "invalid") return setFailure(outcome.failure);
    setError(outcome.failure.errors.map(({ message }) => message).join(" ") || words("form.check"));
  };

  return (
    <s-form onSubmit={() => void submit()}>
      <s-stack gap="base">
        <s-paragraph>{words("hand_over.explanation")}</s-paragraph>
        <s-email-field
          name="email"
          label={words("hand_over.email")}
          error={error}
          disabled={sending}
          required
          autocomplete="off"
          onInput={(event) => {
            email.current = typedValue(event);
          }}
          onChange={(event) => {
            email.current = typedValue(event);
          }}
        />
        {failure && <FailureNotice failure={failure} onRetry={() => void submit()} />}
        <s-stack direction="inline" gap="small">
          <s-button type="submit" variant="primary" loading={sending} disabled={sending}>
            {words(sending ? "hand_over.sending" : "hand_over.send")}
          </s-button>
          <s-button disabled={sending} onClick={onFillInMyself}>
            {words("hand_over.fill_in_myself")}
          </s-button>
          <s-button disabled={sending} onClick={onBack}>
            {words("form.back")}
          </s-button>
        </s-stack>
      </s-stack>
    </s-form>
  );
}
