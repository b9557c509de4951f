import { randomUUID } from "node:crypto";
import type {
  DueNotification,
  NotificationRepository,
} from "../../domain/notifications/notification.ts";
import type { Scope } from "./scope.ts";

export function notificationRepository({ tx, shop }: Scope): NotificationRepository {
  const columns = ({ requestId, kind, occurrence = "" }: DueNotification) => ({
    shop,
    requestId,
    kind,
    occurrence,
  });
  return {
    async note(due, at) {
      const { count } = await tx.notification.createMany({
        data: [{ id: randomUUID(), ...columns(due), createdAt: at }],
        skipDuplicates: true,
      });
      return count > 0;
    },
    async isSent(due) {
      const row = await tx.notification.findUnique({
        where: { shop_requestId_kind_occurrence: columns(due) },
      });
      return row?.sentAt != null;
    },
    async markSent(due, at) {
      await tx.notification.updateMany({ where: columns(due), data: { sentAt: at } });
    },
  };
}
