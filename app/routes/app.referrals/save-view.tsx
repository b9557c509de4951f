import { useFetcher, useNavigate } from "@remix-run/react";
import { Button, InlineStack } from "@shopify/polaris";
import { useState } from "react";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFetched } from "../../components/loading/use-fetched.ts";
import type { OrdersAnswer } from "./apply-orders.ts";
import type { ViewRow } from "./present-orders.ts";

/** Needed once somebody gives a name. */
const loadNaming = () => import("./name-view.tsx");

/** Keeps what is selected as a view, or renames or deletes the one that is shown. */
export function SaveView({ selection, view }: { selection: string; view: ViewRow | null }) {
  const fetcher = useFetcher<OrdersAnswer>();
  const navigate = useNavigate();
  const [isNaming, setNaming] = useState(false);
  const naming = useFetched(isNaming, loadNaming);
  useAnswer(fetcher, "view");
  if (isNaming && naming)
    return <naming.NameView selection={selection} view={view} onEnd={() => setNaming(false)} />;
  return (
    <div className="pathway-naming">
      <InlineStack gap="100" wrap={false}>
        <Button loading={isNaming} onClick={() => setNaming(true)}>
          {view ? "Rename view" : "Save view"}
        </Button>
        {view && (
          <Button
            tone="critical"
            variant="tertiary"
            loading={fetcher.state !== "idle"}
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
