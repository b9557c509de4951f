import { Form, useNavigation } from "@remix-run/react";
import { Button, Card, TextField } from "@shopify/polaris";
import { useEffect, useState } from "react";

/** Asks for an order's number. */
export function OrderSearch({ name }: { name: string }) {
  const isLoading = useNavigation().state === "loading";
  const [typed, setTyped] = useState(name);
  useEffect(() => setTyped(name), [name]);
  return (
    <Card>
      <Form method="get">
        <TextField
          label="Order number"
          name="order"
          placeholder="#1001"
          helpText="Any order of the last 60 days, paid or not."
          autoComplete="off"
          value={typed}
          onChange={setTyped}
          connectedRight={
            <Button submit variant="primary" loading={isLoading} disabled={typed.trim() === ""}>
              Dry run
            </Button>
          }
        />
      </Form>
    </Card>
  );
}
