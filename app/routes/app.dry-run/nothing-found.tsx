import { Card } from "@shopify/polaris";
import { Empty } from "../../components/lists/empty.tsx";

export function NothingFound({ name }: { name: string }) {
  return (
    <Card>
      <Empty
        heading={`Shopify shows Pathway no order “${name}”`}
        action={{ content: "Show the orders Pathway knows", url: "/app/referrals" }}
      >
        Check the number in Shopify. Apps see orders of the last 60 days only.
      </Empty>
    </Card>
  );
}
