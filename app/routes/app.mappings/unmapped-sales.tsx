import { Banner, Link, List } from "@shopify/polaris";
import { countOf } from "../../messages/mapping.ts";
import type { MappingsView } from "./present-mappings.ts";

const SHOWN = 3;

/** What was sold before anybody said what it means: somebody paid, and nothing was ordered. */
export function UnmappedSales({ sales }: { sales: MappingsView["unmappedSales"] }) {
  const [first] = sales;
  if (!first) return null;
  return (
    <Banner
      tone="warning"
      title={`${countOf(sales.length, "product")} sold while unmapped: nothing was ordered for ${sales.length === 1 ? "it" : "them"}`}
      action={
        sales.length === 1
          ? { content: "Map it", url: `/app/mappings/${first.number}` }
          : { content: "Show what is unmapped", url: "/app/mappings?state=unmapped" }
      }
      secondaryAction={{ content: "See what needs attention", url: "/app/attention" }}
    >
      <List>
        {sales.slice(0, SHOWN).map((sale) => (
          <List.Item key={sale.number}>
            <Link url={`/app/mappings/${sale.number}`}>{sale.title}</Link> in{" "}
            {countOf(sale.orders, "order")}
          </List.Item>
        ))}
        {sales.length > SHOWN && <List.Item>and {sales.length - SHOWN} more</List.Item>}
      </List>
    </Banner>
  );
}
