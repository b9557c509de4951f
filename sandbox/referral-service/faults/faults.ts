import { type FaultSettings, faultSettings } from "./fault-settings.ts";
import { createStrike, type Strike } from "./strike.ts";

type CreateFault = "createCommitThenDrop" | "createDropBeforeCommit" | "createCommitThenError";
type WebhookFault = "drop" | "duplicate" | "reorder";

/** The faults in force for one organisation, with what is left of their counts. */
export interface ActiveFaults {
  settings: FaultSettings;
  creates: Record<CreateFault, Strike>;
  webhooks: Record<WebhookFault, Strike>;
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
      createCommitThenDrop: createStrike(settings.createCommitThenDrop, "next"),
      createDropBeforeCommit: createStrike(settings.createDropBeforeCommit, "next"),
      createCommitThenError: createStrike(settings.createCommitThenError, "next"),
    },
    webhooks: {
      drop: createStrike(webhooks.drop, "all"),
      duplicate: createStrike(webhooks.duplicate, "all"),
      reorder: createStrike(webhooks.reorder, "all"),
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
