import type { Scope } from "../../../platform/database/scope.ts";
import { MAX_VIEWS } from "../change-views.ts";
import type { SavedViewRepository } from "../saved-view.ts";

export function savedViewRepository({ tx, shop }: Scope): SavedViewRepository {
  return {
    all: () =>
      tx.savedView.findMany({
        where: { shop },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        take: MAX_VIEWS,
        select: { id: true, name: true, selection: true },
      }),
    async add(view) {
      const { count } = await tx.savedView.createMany({
        data: [{ shop, ...view }],
        skipDuplicates: true,
      });
      return count > 0;
    },
    async rename(id, name) {
      // Two who choose one name at once: the second is refused by the unique constraint and may try again.
      const taken = await tx.savedView.findFirst({ where: { shop, name, id: { not: id } } });
      if (taken) return false;
      const { count } = await tx.savedView.updateMany({ where: { shop, id }, data: { name } });
      return count > 0;
    },
    async remove(id) {
      await tx.savedView.deleteMany({ where: { shop, id } });
    },
  };
}
