import type { AccessEntry, SettingKind } from "../kernel/access-log.ts";
import type { Actor } from "../kernel/timeline.ts";
import { type Conflict, keepOthersChanges } from "./keep-others-changes.ts";
import { type NotAllowed, refuseUnlessAllowed } from "./may-do.ts";
import { settingChanges } from "./setting-changes.ts";
import type { Shop } from "./shop.ts";
import type { Tenant } from "./tenant.ts";

/** Somebody else changed these settings since the page was opened: nothing was saved. */
export interface ChangedMeanwhile {
  kind: "changed_meanwhile";
  settings: Conflict[];
  /** Null: the access log does not say it any more. */
  byName: string | null;
}

export type SaveOutcome = { kind: "saved" } | ChangedMeanwhile | NotAllowed;

/** What somebody wants saved. `seen`: what the page showed when it was opened; null: everything is saved as wished. */
export interface SettingsWish<T> {
  wished: T;
  seen?: T | null | undefined;
  actor: Actor;
  at: Date;
}

/** Settings that are saved together. */
export interface SettingsGroup<T> {
  /** What the access log calls a change of them. */
  what: SettingKind;
  read(shop: Shop): T;
  /** What the page shows of them, where that is not what is stored. */
  shown?(stored: T, seen: T): T;
  /** Their values as the access log may tell them; without it, as they are. */
  logged?(settings: T): Readonly<Record<string, unknown>>;
}

/** Stores settings field by field, in the caller's transaction. `store` is called once nothing is in the way. */
export async function saveSettings<T extends object>(
  tenant: Tenant,
  group: SettingsGroup<T>,
  wish: SettingsWish<T>,
  store: (settings: T) => Promise<void>,
): Promise<SaveOutcome> {
  const opened = await openChange(tenant, group, wish);
  if (opened.kind !== "open") return opened;
  await store(opened.settings);
  await recordSettingChange(tenant, group, { ...wish, ...opened });
  return { kind: "saved" };
}

/** The start of every save: asks whether the actor may, and keeps what others changed since the page was opened. */
export async function openChange<T extends object>(
  tenant: Tenant,
  group: SettingsGroup<T>,
  { wished, seen, actor, at }: SettingsWish<T>,
): Promise<{ kind: "open"; before: Shop; settings: T } | ChangedMeanwhile | NotAllowed> {
  const refused = await refuseUnlessAllowed(tenant, actor, "change_policies", { at });
  if (refused) return refused;
  await tenant.shops.lockSettings();
  const before = await tenant.shops.find();
  if (!before) throw new Error("A signed-in shop has no row of its own");
  if (!seen) return { kind: "open", before, settings: wished };
  const stored = group.read(before);
  const shown = group.shown?.(stored, seen) ?? stored;
  const { settings, conflicts } = keepOthersChanges(stored, { wished, seen, shown });
  if (conflicts.length === 0) return { kind: "open", before, settings };
  const names = conflicts.map(({ name }) => name);
  const byName = await whoChanged(
    tenant,
    ({ what, detail }) => what === group.what && names.some((name) => detail && name in detail),
  );
  return { kind: "changed_meanwhile", settings: conflicts, byName };
}

/** Writes to the access log what a save made different. */
export async function recordSettingChange<T extends object>(
  tenant: Pick<Tenant, "accessLog">,
  {
    what,
    read,
    logged = (settings) => Object.fromEntries(Object.entries(settings)),
  }: SettingsGroup<T>,
  { before, settings, actor, at }: { before: Shop; settings: T; actor: Actor; at: Date },
): Promise<void> {
  const detail = settingChanges(logged(read(before)), logged(settings));
  if (detail) await tenant.accessLog.add({ at, who: "staff", actor, what, detail });
}

/** Among so many changes the one that got in the way is looked for. */
const LATEST_CHANGES = 50;

/** Who made the last change of this kind, by name. */
export async function whoChanged(
  { accessLog }: Pick<Tenant, "accessLog">,
  isIt: (change: AccessEntry) => boolean,
): Promise<string | null> {
  const changes = await accessLog.ofShop(LATEST_CHANGES);
  return changes.find(isIt)?.actorName ?? null;
}
