import { useState } from "preact/hooks";
import { useApp, useWords } from "./app-context.ts";
import type { Failure } from "./failure.ts";
import { FailureNotice } from "./notices.tsx";
import { OpenedLink } from "./opened-link.tsx";
import type { TestDocument } from "./requests.ts";

/** Key of what a document is called. */
const documentKey = ({ kind, partial }: Pick<TestDocument, "kind" | "partial">): string =>
  kind === "result" && partial ? "documents.partial_result" : `documents.${kind}`;

/** One button per document. The app gives an address that opens the PDF once. The page goes there, and links to it as well. */
export function DocumentButtons({
  documents,
  title,
  first = null,
}: {
  documents: TestDocument[];
  title: string;
  /** The kind that it is time to open. */
  first?: TestDocument["kind"] | null;
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
          const name = words(documentKey(document));
          const label =
            document.version > 1
              ? words("documents.version", { name, version: document.version })
              : name;
          return (
            <s-button
              key={document.id}
              variant={document.kind === first ? "primary" : "secondary"}
              loading={opening === document.id}
              disabled={opening !== null}
              accessibilityLabel={words("documents.of", { name: label, title })}
              onClick={() => void open(document.id)}
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
