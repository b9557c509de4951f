import { VARIANT_STATE_WORDS } from "../../modules/catalogue/mapping-words.ts";
import { gidNumber } from "../../modules/kernel/ids.ts";
import { ENVIRONMENT_NAMES } from "../../modules/lifecycle/connection-words.ts";
import type { DryRunOutcome, PlannedOrder } from "../../modules/orders/dry-run-order.ts";
import { describeUnit, OBSTACLES } from "../../modules/orders/dry-run-words.ts";
import type { MedicareCard, Patient } from "../../modules/patients/patient.ts";
import type { WebApp } from "../../web-app.ts";

export type DryRunView = ReturnType<typeof presentDryRun>;

/** A dry run in words, with each create call as it would go over the wire. */
export function presentDryRun(
  { createBody }: Pick<WebApp, "createBody">,
  outcome: Extract<DryRunOutcome, { kind: "planned" }>,
) {
  return {
    url: `/app/orders/${gidNumber(outcome.orderId)}`,
    isKnown: outcome.lines.some((line) => line.units.some((unit) => unit.state !== null)),
    name: outcome.name,
    environment: ENVIRONMENT_NAMES[outcome.environment],
    obstacles: outcome.obstacles.map((obstacle) => OBSTACLES[obstacle]),
    isHeld: outcome.isHeld,
    lines: outcome.lines.map(({ units, ...line }, index) => ({
      ...line,
      key: String(index),
      mapping: VARIANT_STATE_WORDS[line.mapping],
      units: units.map((unit) => ({
        key: `${unit.unit}.${unit.generation}`,
        unit: unit.unit,
        fate: describeUnit(unit.state),
        isSent: unit.state === "created" || unit.state === "ambiguous" || unit.state === "sending",
        body: JSON.stringify(bodyOf(createBody, unit.order), null, 2),
      })),
    })),
  };
}

/** The true body, with words in the places of what only the patient can say. */
function bodyOf(createBody: WebApp["createBody"], order: PlannedOrder): Record<string, unknown> {
  const isMedicare = order.items.medicareTests.length > 0;
  const body = createBody({ ...order, patient: NOBODY, medicare: isMedicare ? NO_CARD : null });
  return { ...body, gender: UNKNOWN };
}

const UNKNOWN = "(from the patient)";
const NOBODY: Patient = {
  firstName: UNKNOWN,
  lastName: UNKNOWN,
  email: UNKNOWN,
  phone: UNKNOWN,
  dob: UNKNOWN,
  gender: "female",
  address: {
    addressLine1: UNKNOWN,
    addressLine2: null,
    city: UNKNOWN,
    state: UNKNOWN,
    postCode: UNKNOWN,
    country: UNKNOWN,
  },
};
const NO_CARD: MedicareCard = { medicareCardNumber: UNKNOWN, dvaNumber: null };
