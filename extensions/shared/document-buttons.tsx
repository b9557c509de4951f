import { useState } from "preact/hooks";
import { useApp, useWords } from "./app-context.ts";
import type { Failure } from "./failure.ts";
import { FailureNotice } from "./notices.tsx";
import { OpenedLink } from "./opened-link.tsx";
import type { TestDocument } from "./requests.ts";

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
  const [failure, setFailure] = useState<Failure | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  if (documents.length === 0) return null;

  const open = async (id: string) => {
    setOpening(id);
    setFailure(null);
    setOpened(null);
    const outcome = await api.openDocument(id);
    setOpening(null);
    if (!outcome.ok) return setFailure(outcome.failure);
    setOpened(outcome.value);
    host.navigate(outcome.value);
  };

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
              loading={opening === id}
              disabled={opening !== null}
              accessibilityLabel={words("documents.of", { name: label, title })}
              onClick={() => void open(id)}
            >
              {label}
            </s-button>
          );
        })}
      </s-stack>
      {opened && <OpenedLink address={opened} />}
      {failure && <FailureNotice failure={failure} />}
    </s-stack>
  );
}
