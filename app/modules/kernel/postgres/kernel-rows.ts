import type { Scope } from "../../../platform/database/scope.ts";
import { accessLogRepository } from "./access-log.ts";
import { accessSealRepository } from "./access-seals.ts";
import { batchRepository } from "./batches.ts";
import { inboxRepository } from "./inbox.ts";
import { notificationRepository } from "./notifications.ts";
import { timelineRepository } from "./timeline.ts";

/** The rows of this module, through one shop's eyes. */
export const kernelRows = (scope: Scope) => ({
  notifications: notificationRepository(scope),
  timeline: timelineRepository(scope),
  accessLog: accessLogRepository(scope),
  accessSeals: accessSealRepository(scope),
  inbox: inboxRepository(scope),
  batches: batchRepository(scope),
});
