import { gidNumber } from "../../modules/kernel/ids.ts";
import type {
  RehearsalEvidence,
  RehearsalsOverview,
} from "../../modules/reports/read-rehearsals.ts";
import {
  REHEARSAL_STEPS,
  type Rehearsal,
  type RehearsalStep,
} from "../../modules/reports/rehearsal.ts";
import {
  describeRehearsalFailure,
  NO_EVENTS,
  REHEARSAL_STEP_NAMES,
} from "../../modules/reports/rehearsal-words.ts";
import type { WebApp } from "../../web-app.ts";

export type RehearsalView = ReturnType<typeof presentRehearsal>;
export type StepState = "done" | "doing" | "todo" | "failed";

/** What can be rehearsed and what was, in words. */
export function presentRehearsals(
  app: Pick<WebApp, "describeFailure">,
  overview: RehearsalsOverview,
) {
  const [latest, ...earlier] = overview.rehearsals;
  return {
    isConnected: overview.isConnected,
    rehearsable: overview.rehearsable.map(({ variantId, title }) => ({
      value: variantId,
      label: title,
    })),
    latest: latest ? presentRehearsal(app, latest) : null,
    earlier: earlier.map((one) => presentRehearsal(app, one)),
  };
}

function presentRehearsal(
  { describeFailure }: Pick<WebApp, "describeFailure">,
  { rehearsal, evidence }: RehearsalsOverview["rehearsals"][number],
) {
  const { id, title, orderId, startedAt, finishedAt, failure, heardEvents } = rehearsal;
  const done = rehearsal.trail.length;
  return {
    id,
    title,
    url: `/app/orders/${gidNumber(orderId)}`,
    startedAt: startedAt.toISOString(),
    isRunning: finishedAt === null,
    hasOrder: rehearsal.trail.some(({ step }) => step === "order"),
    seconds: finishedAt ? secondsBetween(startedAt, finishedAt) : null,
    percent: Math.round((100 * done) / REHEARSAL_STEPS.length),
    failure: failure === null ? null : describeRehearsalFailure(failure, describeFailure),
    noEvents: finishedAt && failure === null && !heardEvents ? NO_EVENTS : null,
    steps: REHEARSAL_STEPS.map((step) => ({
      step,
      name: REHEARSAL_STEP_NAMES[step],
      ...standing(rehearsal, step),
      evidence: evidenceText(evidence, step),
    })),
  };
}

function standing(
  { trail, step: current, startedAt, failure, finishedAt }: Rehearsal,
  step: RehearsalStep,
): { state: StepState; seconds: string | null } {
  const at = trail.findIndex((one) => one.step === step);
  const entry = trail[at];
  if (entry)
    return { state: "done", seconds: secondsBetween(trail[at - 1]?.at ?? startedAt, entry.at) };
  if (step !== current) return { state: "todo", seconds: null };
  return { state: failure !== null || finishedAt ? "failed" : "doing", seconds: null };
}

const secondsBetween = (from: Date, to: Date) =>
  `${((to.getTime() - from.getTime()) / 1000).toFixed(1)} s`;

function evidenceText({ references, forms, reports }: RehearsalEvidence, step: RehearsalStep) {
  switch (step) {
    case "create":
      return references.length > 0 ? `Referral ${references.join(" and ")}` : null;
    case "form":
      return pdfText(forms);
    case "report":
      return pdfText(reports);
    default:
      return null;
  }
}

const pdfText = (sizes: number[]) =>
  sizes.length === 0
    ? null
    : sizes.map((bytes) => `PDF, ${Math.max(1, Math.round(bytes / 1024))} KB`).join(" and ");
