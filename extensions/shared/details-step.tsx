import { useState } from "preact/hooks";
import { useApp, useWords } from "./app-context.ts";
import { HandOverForm } from "./hand-over-form.tsx";
import { FailureNotice } from "./notices.tsx";
import { PatientForm } from "./patient-form.tsx";
import type { Prefill, TestRequest } from "./requests.ts";
import { useAnswer } from "./use-answer.ts";

interface Props {
  request: TestRequest;
  /** The unit's full name (unit-name.ts). */
  name: string;
  /** The page's own knowledge of the buyer; the app's knowledge goes first. */
  buyer: Prefill | null;
  /** The tests of the same order: the people of those that have details are offered. */
  siblings: TestRequest[];
  onSaved: (request: TestRequest) => void;
  onHandedOver: (email: string, request: TestRequest) => void;
}

type Step = "who" | "patient" | "somebody" | "hand_over";

/** Asks who the test is for, then for that person's details, or for where to send the link. */
export function DetailsStep({ request, name, buyer, siblings, onSaved, onHandedOver }: Props) {
  const words = useWords();
  const [step, setStep] = useState<Step>("who");
  const [answer, load, failure, loading, forget] = useAnswer(useApp().api.readPatient);
  const back = () => setStep("who");
  if (answer)
    return <PatientForm request={request} prefill={answer} onSaved={onSaved} onBack={forget} />;
  switch (step) {
    case "who":
      return (
        <s-stack gap="small">
          <s-text type="strong">{words("who.question")}</s-text>
          <s-stack direction="inline" gap="small">
            <s-button
              variant="primary"
              accessibilityLabel={words("who.me_of", { title: name })}
              onClick={() => setStep("patient")}
            >
              {words("who.me")}
            </s-button>
            {peopleOf(siblings).map(([patient, id]) => {
              const label = words("unit.for", { name: patient });
              return (
                <s-button
                  key={id}
                  disabled={loading}
                  accessibilityLabel={`${label}: ${name}`}
                  onClick={() => void load(id)}
                >
                  {label}
                </s-button>
              );
            })}
            <s-button
              accessibilityLabel={words("who.somebody_of", { title: name })}
              onClick={() => setStep(request.canHandOver ? "hand_over" : "somebody")}
            >
              {words("who.somebody")}
            </s-button>
          </s-stack>
          {failure && <FailureNotice failure={failure} />}
        </s-stack>
      );
    case "patient":
      return (
        <PatientForm
          request={request}
          prefill={request.prefill ?? buyer}
          onSaved={onSaved}
          onBack={back}
        />
      );
    case "somebody":
      return <PatientForm request={request} prefill={null} onSaved={onSaved} onBack={back} />;
    case "hand_over":
      return (
        <HandOverForm
          requestId={request.id}
          onSent={onHandedOver}
          onFillInMyself={() => setStep("somebody")}
          onBack={back}
        />
      );
  }
}

/** Each person whose details the buyer gave, by the name that tells them apart, with a test that has them. */
const peopleOf = (requests: TestRequest[]): [string, string][] => [
  ...new Map(
    requests.flatMap(({ id, patientName, state }) =>
      patientName && state !== "cancelled" ? [[patientName, id] as const] : [],
    ),
  ),
];
