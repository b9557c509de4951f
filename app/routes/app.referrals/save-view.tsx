import { useFetcher, useNavigate } from "@remix-run/react";
import { Button, InlineStack, TextField } from "@shopify/polaris";
import { useState } from "react";
import { useAnswer } from "../../components/form/use-answer.ts";
import type { OrdersAnswer } from "./apply-orders.ts";
import type { ViewRow } from "./present-orders.ts";

/** Keeps what is selected under a name, or renames or deletes the view that is shown. */
export function SaveView({ selection, view }: { selection: string; view: ViewRow | null }) {
  const fetcher = useFetcher<OrdersAnswer>();
  const navigate = useNavigate();
  const [isNaming, setNaming] = useState(false);
  const [name, setName] = useState("");
  const answer = useAnswer(fetcher, "view", () => setNaming(false));
  const isBusy = fetcher.state !== "idle";
  if (isNaming)
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
          <Button submit variant="primary" loading={isBusy}>
            Save
          </Button>
          <Button onClick={() => setNaming(false)}>Cancel</Button>
        </InlineStack>
      </fetcher.Form>
    );
  const ask = () => {
    setName(view?.name ?? "");
    setNaming(true);
  };
  return (
    <div className="pathway-naming">
      <InlineStack gap="100" wrap={false}>
        <Button onClick={ask}>{view ? "Rename view" : "Save view"}</Button>
        {view && (
          <Button
            tone="critical"
            variant="tertiary"
            loading={isBusy}
            onClick={() => {
              fetcher.submit({ intent: "delete-view", id: view.id }, { method: "post" });
              navigate("/app/referrals");
            }}
          >
            Delete view
          </Button>
        )}
      </InlineStack>
    </div>
  );
}
