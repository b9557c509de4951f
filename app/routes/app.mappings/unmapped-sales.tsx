import { Banner, Link, List } from "@shopify/polaris";
import { countOf } from "../../modules/kernel/words.ts";
import { addressOf, variantAddress } from "./address.ts";
import type { MappingsView } from "./present-mappings.ts";

const SHOWN = 3;

/** Lists sales from before the mapping: somebody paid, and nothing was ordered. */
export function UnmappedSales({ view }: { view: MappingsView }) {
  const { unmappedSales: sales, environment } = view;
  const [first] = sales;
  if (!first) return null;
  return (
    <Banner
      tone="warning"
      title={`${countOf(sales.length, "product")} sold while unmapped: nothing was ordered for ${sales.length === 1 ? "it" : "them"}`}
      action={
        sales.length === 1
          ? { content: "Map it", url: variantAddress(first.number, environment) }
          : { content: "Show what is unmapped", url: addressOf({ environment, state: "unmapped" }) }
      }
      secondaryAction={{ content: "See what needs attention", url: "/app/attention" }}
    >
      <List>
        {sales.slice(0, SHOWN).map((sale) => (
          <List.Item key={sale.number}>
            <Link url={variantAddress(sale.number, environment)}>{sale.title}</Link> in{" "}
            {countOf(sale.orders, "order")}
          </List.Item>
        ))}
        {sales.length > SHOWN && <List.Item>and {sales.length - SHOWN} more</List.Item>}
      </List>
    </Banner>
  );
}
