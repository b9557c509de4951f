import { useNavigate } from "@remix-run/react";
import { Pagination } from "@shopify/polaris";
import { addressOf } from "./address.ts";
import type { MappingsView } from "./present-mappings.ts";
import type { Selection } from "./selection.ts";

/** Pages through the variants. */
export function MappingsFooter({ view }: { view: MappingsView & { selection: Selection } }) {
  const navigate = useNavigate();
  const { hasNext, hasPrevious, first, last, selection } = view;
  if (!hasNext && !hasPrevious) return null;
  const go = (place: Pick<Selection, "after" | "before">) =>
    navigate(addressOf({ ...selection, ...place }));
  return (
    <Pagination
      type="table"
      hasNext={hasNext}
      onNext={() => go({ after: last, before: null })}
      hasPrevious={hasPrevious}
      onPrevious={() => go({ after: null, before: first })}
    />
  );
}
