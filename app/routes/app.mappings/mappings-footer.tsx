import { useNavigate } from "@remix-run/react";
import { Pagination } from "@shopify/polaris";
import { addressOf } from "./address.ts";
import type { MappingsView } from "./present-mappings.ts";
import type { Selection } from "./selection.ts";

/** Pages through the store's variants. */
export function MappingsFooter({ view }: { view: MappingsView & { selection: Selection } }) {
  const navigate = useNavigate();
  const { next, selection } = view;
  const { after, trail, environment, search } = selection;
  if (!next && !after) return null;
  return (
    <Pagination
      type="table"
      hasNext={next !== null}
      onNext={() =>
        navigate(
          addressOf({ environment, search, after: next, trail: after ? [...trail, after] : trail }),
        )
      }
      hasPrevious={after !== null}
      onPrevious={() =>
        navigate(
          addressOf({
            environment,
            search,
            after: trail.at(-1) ?? null,
            trail: trail.slice(0, -1),
          }),
        )
      }
    />
  );
}
