import type { AccessKind } from "../kernel/access-log.ts";
import type { Tenant } from "./tenant.ts";
import type { Viewer } from "./viewer.ts";

/** Writes down what a viewer saw, took or changed, in the same transaction. */
export async function logAccess(
  tenant: Tenant,
  viewer: Viewer,
  entry: { what: AccessKind; requestId: string; subjectId?: string; at: Date },
): Promise<void> {
  const { who } = visitOf(viewer);
  await tenant.accessLog.add({ ...entry, who });
}

/** How the log names a viewer who saved details: by right, and by the link, which opens one visit. */
export const visitOf = (viewer: Viewer): { who: "customer" | "link"; subjectId?: string } =>
  viewer.kind === "customer" ? { who: "customer" } : { who: "link", subjectId: viewer.link.id };
