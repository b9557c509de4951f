import { useRef, useState } from "preact/hooks";
import { useApp, useWords } from "./app-context.ts";
import { typedValue } from "./field-event.ts";
import { FailureNotice } from "./notices.tsx";
import type { TestRequest } from "./requests.ts";
import { useAnswer } from "./use-answer.ts";

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
  const [, load, failure, loading] = useAnswer(async () => {
    const address = email.current.trim();
    setError(undefined);
    const outcome = await api.handOver(requestId, address);
    if (outcome.ok) onSent(address, outcome.value);
    else if (outcome.failure.kind === "invalid")
      setError(
        outcome.failure.errors.map(({ message }) => message).join(" ") || words("form.check"),
      );
    return outcome;
  });
  const submit = () => void load();

  return (
    <s-form onSubmit={submit}>
      <s-stack gap="base">
        <s-paragraph>{words("hand_over.explanation")}</s-paragraph>
        <s-email-field
          name="email"
          label={words("hand_over.email")}
          error={error}
          disabled={loading}
          required
          autocomplete="off"
          onInput={(event) => {
            email.current = typedValue(event);
          }}
          onChange={(event) => {
            email.current = typedValue(event);
          }}
        />
        {failure && failure.kind !== "invalid" && (
          <FailureNotice failure={failure} onRetry={submit} />
        )}
        <s-stack direction="inline" gap="small">
          <s-button type="submit" variant="primary" loading={loading} disabled={loading}>
            {words(loading ? "hand_over.sending" : "hand_over.send")}
          </s-button>
          <s-button disabled={loading} onClick={onFillInMyself}>
            {words("hand_over.fill_in_myself")}
          </s-button>
          <s-button disabled={loading} onClick={onBack}>
            {words("form.back")}
          </s-button>
        </s-stack>
      </s-stack>
    </s-form>
  );
}
