import { useState } from "preact/hooks";
import { useApp, useWords } from "./app-context.ts";
import type { Failure } from "./failure.ts";
import { FailureNotice } from "./notices.tsx";
import { PatientForm } from "./patient-form.tsx";
import type { Prefill, TestRequest } from "./requests.ts";

/** Lets details that were given be corrected; they are fetched only when somebody wants to. */
export function CorrectStep({
  request,
  name,
  onSaved,
}: {
  request: TestRequest;
  /** The unit's full name (unit-name.ts). */
  name: string;
  onSaved: (request: TestRequest) => void;
}) {
  const { api } = useApp();
  const words = useWords();
  const [given, setGiven] = useState<Prefill | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [loading, setLoading] = useState(false);

  const begin = async () => {
    setLoading(true);
    setFailure(null);
    const outcome = await api.readPatient(request.id);
    setLoading(false);
    if (outcome.ok) setGiven(outcome.value);
    else setFailure(outcome.failure);
  };

  if (given)
    return (
      <PatientForm
        request={request}
        prefill={given}
        corrects
        onSaved={(saved) => {
          setGiven(null);
          onSaved(saved);
        }}
        onBack={() => setGiven(null)}
      />
    );
  return (
    <s-stack gap="small">
      <s-stack direction="inline">
        <s-button
          loading={loading}
          disabled={loading}
          accessibilityLabel={words("form.correct_of", { title: name })}
          onClick={() => void begin()}
        >
          {words("form.correct")}
        </s-button>
      </s-stack>
      {failure && <FailureNotice failure={failure} onRetry={() => void begin()} />}
    </s-stack>
  );
}
