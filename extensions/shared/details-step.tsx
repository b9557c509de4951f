import { useState } from "preact/hooks";
import { useWords } from "./app-context.ts";
import { HandOverForm } from "./hand-over-form.tsx";
import { PatientForm } from "./patient-form.tsx";
import type { Prefill, TestRequest } from "./requests.ts";

interface Props {
  request: TestRequest;
  /** The unit's full name (unit-name.ts). */
  name: string;
  /** The page's own knowledge of the buyer; the app's knowledge goes first. */
  buyer: Prefill | null;
  onSaved: (request: TestRequest) => void;
  onHandedOver: (email: string, request: TestRequest) => void;
}

type Step = "who" | "patient" | "somebody" | "hand_over";

/** Asks who the test is for, then for that person's details, or for where to send the link. */
export function DetailsStep({ request, name, buyer, onSaved, onHandedOver }: Props) {
  const words = useWords();
  const [step, setStep] = useState<Step>("who");
  const back = () => setStep("who");
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
            <s-button
              accessibilityLabel={words("who.somebody_of", { title: name })}
              onClick={() => setStep(request.canHandOver ? "hand_over" : "somebody")}
            >
              {words("who.somebody")}
            </s-button>
          </s-stack>
        </s-stack>
      );
    case "patient":
      return (
        <PatientForm
          request={request}
          prefill={request.prefill ?? buyer}
          isOwn
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
