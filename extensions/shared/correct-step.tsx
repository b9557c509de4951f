import { useApp, useWords } from "./app-context.ts";
import { FailureNotice } from "./notices.tsx";
import { PatientForm } from "./patient-form.tsx";
import type { TestRequest } from "./requests.ts";
import { useAnswer } from "./use-answer.ts";

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
  const words = useWords();
  const [answer, load, failure, loading, forget] = useAnswer(useApp().api.readPatient);

  if (answer)
    return (
      <PatientForm
        request={request}
        prefill={answer}
        corrects
        onSaved={(saved) => {
          forget();
          onSaved(saved);
        }}
        onBack={forget}
      />
    );
  return (
    <s-stack gap="small">
      <s-stack direction="inline">
        <s-button
          loading={loading}
          disabled={loading}
          accessibilityLabel={words("form.correct_of", { title: name })}
          onClick={() => void load(request.id)}
        >
          {words("form.correct")}
        </s-button>
      </s-stack>
      {failure && <FailureNotice failure={failure} onRetry={() => void load(request.id)} />}
    </s-stack>
  );
}
