import { randomUUID } from "node:crypto";
import {
  NOTIFICATION_KINDS,
  type NotificationRepository,
} from "../../domain/notifications/notification.ts";
import { oneOf } from "../one-of.ts";
import type { Scope } from "./scope.ts";

export function notificationRepository({ tx, shop }: Scope): NotificationRepository {
  return {
    async note(requestId, kind, at) {
      const { count } = await tx.notification.createMany({
        data: [{ shop, id: randomUUID(), requestId, kind, createdAt: at }],
        skipDuplicates: true,
      });
      return count > 0;
    },
    async forget(requestId, kind) {
      await tx.notification.deleteMany({ where: { shop, requestId, kind } });
    },
    async isSent(requestId, kind) {
      const row = await tx.notification.findUnique({
        where: { shop_requestId_kind: { shop, requestId, kind } },
      });
      return row?.sentAt != null;
    },
    async unsent() {
      const rows = await tx.notification.findMany({
        where: { shop, sentAt: null },
        orderBy: { createdAt: "asc" },
        select: { requestId: true, kind: true },
      });
      return rows.map(({ requestId, kind }) => ({
        requestId,
        kind: oneOf(NOTIFICATION_KINDS, kind),
      }));
    },
    async markSent(requestId, kind, at) {
      await tx.notification.updateMany({ where: { shop, requestId, kind }, data: { sentAt: at } });
    },
  };
}
