import { type NamedUnit, unitName } from "../../../extensions/shared/unit-name.ts";
import { customerWords } from "../../modules/access/customer-words.ts";

/** The same, each named as its test's card is, with whose it is. What has no card keeps its product's name. */
export function nameEach<Item extends { requestId: string | null; title: string }>(
  items: Item[],
  units: (NamedUnit & { id: string })[],
): Item[] {
  const names = new Map(units.map((unit) => [unit.id, unitName(unit, customerWords)]));
  return items.map((item) => ({ ...item, title: names.get(item.requestId ?? "") ?? item.title }));
}
