import { Empty } from "../../components/lists/empty.tsx";
import { addressOf } from "./address.ts";
import { MappingCards } from "./mapping-cards.tsx";
import { MappingTable } from "./mapping-table.tsx";
import type { MappingsView } from "./present-mappings.ts";
import type { Selection } from "./selection.ts";

/** The variants: a table where there is room for one, cards on a phone. CSS decides, so that nothing jumps. */
export function MappingList({ view }: { view: MappingsView & { selection: Selection } }) {
  const { variants, selection, environment } = view;
  if (variants.length === 0) return <NoVariants search={selection.search} />;
  const address = (number: string) =>
    `/app/mappings/${number}${selection.environment ? `?environment=${environment}` : ""}`;
  return (
    <>
      <div className="pathway-wide">
        <MappingTable variants={variants} address={address} />
      </div>
      <div className="pathway-narrow">
        <MappingCards variants={variants} address={address} />
      </div>
    </>
  );
}

function NoVariants({ search }: { search: string }) {
  if (search)
    return (
      <Empty
        heading={`Nothing found for “${search}”`}
        action={{ content: "Show all products", url: addressOf({ search: "" }) }}
      >
        Try the product’s name or its SKU.
      </Empty>
    );
  return (
    <Empty
      heading="Your store has no products yet"
      action={{ content: "Add a product in Shopify", url: "shopify://admin/products/new" }}
    >
      Add the tests you sell as products, then map them here.
    </Empty>
  );
}
