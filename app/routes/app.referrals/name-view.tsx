import { useFetcher } from "@remix-run/react";
import { Button, InlineStack, TextField } from "@shopify/polaris";
import { useState } from "react";
import { useAnswer } from "../../components/form/use-answer.ts";
import type { OrdersAnswer } from "./apply-orders.ts";
import type { ViewRow } from "./present-orders.ts";

interface Props {
  selection: string;
  view: ViewRow | null;
  onEnd: () => void;
}

/** Keeps what is selected under a name, or gives the view that is shown another one. */
export function NameView({ selection, view, onEnd }: Props) {
  const fetcher = useFetcher<OrdersAnswer>();
  const [name, setName] = useState(view?.name ?? "");
  const answer = useAnswer(fetcher, "view", onEnd);
  return (
    <fetcher.Form method="post" className="pathway-naming" noValidate>
      <input type="hidden" name="intent" value={view ? "rename-view" : "save-view"} />
      {view && <input type="hidden" name="id" value={view.id} />}
      <input type="hidden" name="selection" value={selection} />
      <TextField
        label="Name of the view"
        labelHidden
        placeholder="Name of the view"
        name="name"
        autoComplete="off"
        autoFocus
        maxLength={40}
        value={name}
        onChange={setName}
        error={answer?.errors?.name}
      />
      <InlineStack gap="100" wrap={false}>
        <Button submit variant="primary" loading={fetcher.state !== "idle"}>
          Save
        </Button>
        <Button onClick={onEnd}>Cancel</Button>
      </InlineStack>
    </fetcher.Form>
  );
}
