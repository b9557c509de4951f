import { z } from "zod";
import type { RunScope, RunWish } from "../../modules/catalogue/start-run.ts";
import { VARIANT_STATES } from "../../modules/catalogue/store-variants.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { searchText } from "../../modules/reports/search-text.ts";
import { ENVIRONMENTS } from "../../modules/shops/connection.ts";

/** Ids with commas between them, without repetitions. */
const idList = z
  .string()
  .max(20_000)
  .default("")
  .transform((value) => [...new Set(value.split(",").filter(Boolean))]);

const bulkForm = z.object({
  intent: z.literal("bulk"),
  wish: z.enum(["map", "ignore", "suggest"]),
  environment: z.enum(ENVIRONMENTS),
  scope: z.enum(["chosen", "matching"]),
  variants: idList.pipe(z.array(z.string().regex(/^\d{1,20}$/)).max(250)),
  state: z.enum(VARIANT_STATES).nullable().catch(null),
  q: searchText,
  bundleId: z.string().max(300).default(""),
  tests: idList,
});

/** Reads what is to become of which variants; null when no page of ours sent it. */
export function readBulkForm(data: FormData) {
  const parsed = bulkForm.safeParse(Object.fromEntries(data));
  if (!parsed.success) return null;
  const {
    wish: word,
    scope: which,
    variants,
    state,
    q,
    bundleId,
    tests,
    environment,
  } = parsed.data;
  const scope: RunScope =
    which === "matching"
      ? { kind: "matching", filter: { state, search: q } }
      : { kind: "chosen", ids: variants.map((number) => gid("ProductVariant", number)) };
  const items = { bundleId: bundleId || null, tests, medicareTests: [], practitioner: null };
  const wish: RunWish =
    word === "map" ? { kind: "map", change: { kind: "order", items } } : { kind: word };
  return { scope, wish, environment };
}
