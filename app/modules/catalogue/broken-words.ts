import { countOf } from "../kernel/words.ts";

/** Says how many variants cannot be ordered as they are mapped, and where to map them again. */
export const describeBroken = (count: number) => ({
  title: `${countOf(count, "variant")} on sale can’t be ordered as mapped`,
  text: "The service doesn’t offer the test any more, or refuses the practitioner. An order would be refused, and need your attention.",
  action: { content: "Map again", url: "/app/mappings?state=broken" },
});
