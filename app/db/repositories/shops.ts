import { ENVIRONMENTS } from "../../domain/connections/connection.ts";
import { RELEASE_POLICIES, type ShopRepository } from "../../domain/shops/shop.ts";
import { oneOf } from "../one-of.ts";
import type { Scope } from "./scope.ts";

export function shopRepository({ tx, shop }: Scope): ShopRepository {
  return {
    async find() {
      const row = await tx.shop.findUnique({ where: { shop } });
      if (!row) return null;
      const { epoch, scope, holdOrders, strictMode, minimumAge } = row;
      const { emailByService, markFulfilled, tagOrders, startFlows, setupDismissedAt } = row;
      return {
        shop,
        epoch,
        scope,
        holdOrders,
        strictMode,
        minimumAge,
        emailByService,
        markFulfilled,
        tagOrders,
        startFlows,
        setupDismissedAt,
        installed: row.uninstalledAt === null,
        environment: oneOf(ENVIRONMENTS, row.environment),
        releasePolicy: oneOf(RELEASE_POLICIES, row.releasePolicy),
      };
    },
    async install(scope, at) {
      const { count: added } = await tx.shop.createMany({
        data: [{ shop, scope, installedAt: at }],
        skipDuplicates: true,
      });
      if (added > 0) return true;
      const { count: returned } = await tx.shop.updateMany({
        where: { shop, uninstalledAt: { not: null } },
        data: { uninstalledAt: null, installedAt: at, scope, epoch: { increment: 1 } },
      });
      if (returned === 0) await tx.shop.updateMany({ where: { shop }, data: { scope } });
      return returned > 0;
    },
    async uninstall(at) {
      const { count } = await tx.shop.updateMany({
        where: { shop, uninstalledAt: null, installedAt: { lte: at } },
        data: { uninstalledAt: at },
      });
      // Its tokens are revoked at Shopify; ours are destroyed.
      if (count > 0) await tx.session.deleteMany({ where: { shop } });
      return count > 0;
    },
    async updateSettings(settings) {
      await tx.shop.updateMany({ where: { shop }, data: settings });
    },
    async dismissSetup(at) {
      await tx.shop.updateMany({ where: { shop }, data: { setupDismissedAt: at } });
    },
  };
}
