import { useFetcher } from "@remix-run/react";
import { BlockStack, Button, Card, InlineStack, Select, Text } from "@shopify/polaris";
import { useState } from "react";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import type { presentSimulations } from "./present-simulations.ts";

type Props = Pick<ReturnType<typeof presentSimulations>, "isConnected" | "simulatable"> & {
  isRunning: boolean;
};

/** Chooses a product and begins; or says what is missing for that. */
export function StartCard({ isConnected, simulatable, isRunning }: Props) {
  const fetcher = useFetcher<FormAnswer>();
  useAnswer(fetcher, "simulate");
  const [chosen, setChosen] = useState(simulatable[0]?.value ?? "");
  const choice = simulatable.find((one) => one.value === chosen) ?? simulatable[0];
  if (!isConnected)
    return (
      <Missing
        text="A simulation runs in the service’s staging environment. Connect it first."
        action={{ content: "Connect staging", url: "/app/settings/connection" }}
      />
    );
  if (!choice)
    return (
      <Missing
        text="A simulation orders what a product is mapped to. Map one for staging first."
        action={{ content: "Map products", url: "/app/mappings?environment=staging" }}
      />
    );
  return (
    <Card>
      <BlockStack gap="300">
        <Select
          label="Product to simulate"
          options={simulatable}
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
                { intent: "simulate", variantId: choice.value, title: choice.label },
                { method: "post" },
              )
            }
          >
            {isRunning ? "Running…" : "Start simulation"}
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
