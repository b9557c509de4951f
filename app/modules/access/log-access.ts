import type { AccessKind } from "../kernel/access-log.ts";
import type { Tenant } from "./tenant.ts";
import type { Viewer } from "./viewer.ts";

/** Writes down what a viewer saw, took or changed, in the same transaction. */
export async function logAccess(
  tenant: Tenant,
  viewer: Viewer,
  entry: { what: AccessKind; requestId: string; subjectId?: string; at: Date },
): Promise<void> {
  const who = viewer.kind === "customer" ? "customer" : "link";
  await tenant.accessLog.add({ ...entry, who });
}
