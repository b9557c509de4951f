import { useFetcher } from "@remix-run/react";
import { BlockStack, Button, Card, InlineStack, Select, Text } from "@shopify/polaris";
import { useState } from "react";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import type { presentRehearsals } from "./present-rehearsals.ts";

type Props = Pick<ReturnType<typeof presentRehearsals>, "isConnected" | "rehearsable"> & {
  isRunning: boolean;
};

/** Chooses a product and begins; or says what is missing for that. */
export function StartCard({ isConnected, rehearsable, isRunning }: Props) {
  const fetcher = useFetcher<FormAnswer>();
  useAnswer(fetcher, "rehearse");
  const [chosen, setChosen] = useState(rehearsable[0]?.value ?? "");
  const choice = rehearsable.find((one) => one.value === chosen) ?? rehearsable[0];
  if (!isConnected)
    return (
      <Missing
        text="A rehearsal runs in the service’s staging environment. Connect it first."
        action={{ content: "Connect staging", url: "/app/settings" }}
      />
    );
  if (!choice)
    return (
      <Missing
        text="A rehearsal orders what a product is mapped to. Map one for staging first."
        action={{ content: "Map products", url: "/app/mappings?environment=staging" }}
      />
    );
  return (
    <Card>
      <BlockStack gap="300">
        <Select
          label="Product to rehearse"
          options={rehearsable}
          value={choice.value}
          disabled={isRunning}
          onChange={setChosen}
        />
        <InlineStack>
          <Button
            variant="primary"
            disabled={isRunning}
            loading={fetcher.state !== "idle"}
            onClick={() =>
              fetcher.submit(
                { intent: "rehearse", variantId: choice.value, title: choice.label },
                { method: "post" },
              )
            }
          >
            {isRunning ? "Running…" : "Start rehearsal"}
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}

function Missing({ text, action }: { text: string; action: { content: string; url: string } }) {
  return (
    <Card>
      <BlockStack gap="300" inlineAlign="start">
        <Text as="p">{text}</Text>
        <Button variant="primary" url={action.url}>
          {action.content}
        </Button>
      </BlockStack>
    </Card>
  );
}
