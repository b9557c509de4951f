import { createFaultSwitch, type FaultSwitch } from "./fault-setting.ts";
import { type FaultSettings, faultSettings } from "./fault-settings.ts";

type CreateFault = "createCommitThenDrop" | "createDropBeforeCommit" | "createCommitThenError";
type WebhookFault = "drop" | "duplicate" | "reorder";

/** The faults in force for one organisation, with what is left of their counts. */
export interface ActiveFaults {
  settings: FaultSettings;
  creates: Record<CreateFault, FaultSwitch>;
  webhooks: Record<WebhookFault, FaultSwitch>;
}

/** "everyone" for the console token, otherwise one organisation. */
export type FaultScope = "everyone" | number;

export interface Faults {
  /** An organisation's own settings hide those for everyone. */
  of(organisationId: number): ActiveFaults;
  set(scope: FaultScope, settings: FaultSettings): void;
}

function activate(settings: FaultSettings): ActiveFaults {
  const { webhooks } = settings;
  return {
    settings,
    creates: {
      createCommitThenDrop: createFaultSwitch(settings.createCommitThenDrop, "next"),
      createDropBeforeCommit: createFaultSwitch(settings.createDropBeforeCommit, "next"),
      createCommitThenError: createFaultSwitch(settings.createCommitThenError, "next"),
    },
    webhooks: {
      drop: createFaultSwitch(webhooks.drop, "all"),
      duplicate: createFaultSwitch(webhooks.duplicate, "all"),
      reorder: createFaultSwitch(webhooks.reorder, "all"),
    },
  };
}

/** Faults live in memory: a restarted server is a healthy one. */
export function createFaults(): Faults {
  const none = activate(faultSettings.parse({}));
  const scopes = new Map<FaultScope, ActiveFaults>();
  return {
    of: (organisationId) => scopes.get(organisationId) ?? scopes.get("everyone") ?? none,
    set(scope, settings) {
      scopes.set(scope, activate(settings));
    },
  };
}
