import { useState } from "preact/hooks";
import { useApp, useWords } from "./app-context.ts";
import { FailureNotice } from "./notices.tsx";
import { OpenedLink } from "./opened-link.tsx";
import type { TestDocument } from "./requests.ts";
import { useAnswer } from "./use-answer.ts";

/** One button per document. The app gives an address that opens the PDF once. The page goes there, and links to it as well. */
export function DocumentButtons({
  documents,
  title,
  isFirst,
  isUsed,
}: {
  documents: TestDocument[];
  title: string;
  /** It is time to open the form. */
  isFirst?: boolean;
  /** The laboratory has reported on the form: nobody is to go to a collection centre with it again. */
  isUsed?: boolean;
}) {
  const { api, host } = useApp();
  const words = useWords();
  const [opening, setOpening] = useState<string | null>(null);
  const [answer, load, failure, loading] = useAnswer(async (id: string) => {
    setOpening(id);
    const outcome = await api.openDocument(id);
    if (outcome.ok) host.navigate(outcome.value);
    return outcome;
  });
  if (documents.length === 0) return null;

  return (
    <s-stack gap="small">
      <s-stack direction="inline" gap="small">
        {documents.map((document) => {
          const { id, kind, version } = document;
          const isForm = kind === "referral";
          const key =
            kind === "result" && document.partial
              ? "partial_result"
              : isForm && isUsed
                ? "used_form"
                : kind;
          const name = words(`documents.${key}`);
          const label = version > 1 ? words("documents.version", { name, version }) : name;
          return (
            <s-button
              key={id}
              variant={isForm && isFirst ? "primary" : "secondary"}
              loading={loading && opening === id}
              disabled={loading}
              accessibilityLabel={words("documents.of", { name: label, title })}
              onClick={() => void load(id)}
            >
              {label}
            </s-button>
          );
        })}
      </s-stack>
      {answer && !loading && !failure && <OpenedLink address={answer} />}
      {failure && <FailureNotice failure={failure} />}
    </s-stack>
  );
}
