import { setTimeout as wait } from "node:timers/promises";
import { addressesFor } from "../attachments/addresses-for.ts";
import type { Core } from "../core.ts";
import { type Answer, json } from "../http/answer.ts";
import { ApiError } from "../http/api-error.ts";
import { routingMessage } from "../medicare/routing-message.ts";
import { type AcceptedOrder, acceptOrder, storeOrder } from "../referrals/create-referrals.ts";
import type { FormQueue } from "../referrals/form-queue.ts";
import type { Referral } from "../referrals/referral.ts";
import { viewReferral } from "../referrals/referral-view.ts";
import type { ApiCall } from "./api-call.ts";

function answerFor(core: Core, call: ApiCall, referrals: Referral[]): Answer {
  const views = referrals.map((referral) => {
    const number = referral.document.medicare?.orderingPractitioner.providerNumber;
    const provider = number && core.stores.providerNumbers.find(call.organisation.id, number);
    return viewReferral(
      referral,
      addressesFor(core, call.organisation.id),
      provider ? routingMessage(provider) : null,
    );
  });
  const isMedicareOrder = referrals.some((referral) => referral.document.medicare !== null);
  return json(isMedicareOrder ? views : views[0]);
}

/**
 * POST /v1/referrals, with the faults that a create can suffer. Refusals of the order itself come
 * first, so a fault never hides a mistake of the caller's.
 */
export async function handleCreate(options: {
  core: Core;
  formQueue: FormQueue;
  call: ApiCall;
}): Promise<Answer> {
  const { core, formQueue, call } = options;
  const { settings, creates } = core.faults.of(call.organisation.id);
  const { organisation, version } = call;
  const context = { organisation, version, origin: call.credential.origin };
  const order = acceptOrder(core, context, call.body);

  const store = (accepted: AcceptedOrder): Referral[] => {
    const referrals = storeOrder(core, accepted);
    for (const referral of referrals) {
      if (referral.status === "CREATED") formQueue.add(referral.uuid);
    }
    return referrals;
  };

  if (settings.createDelayMs > 0) await wait(settings.createDelayMs);
  if (creates.createDropBeforeCommit.hits()) return { kind: "reset" };
  if (settings.createLateCommitMs > 0) {
    core.later.run(settings.createLateCommitMs, () => store(order));
    return { kind: "reset" };
  }
  const referrals = store(order);
  if (creates.createCommitThenDrop.hits()) return { kind: "reset" };
  if (creates.createCommitThenError.hits()) {
    throw new ApiError(500, "INTERNAL_ERROR", "Internal error (fault createCommitThenError)");
  }
  return answerFor(core, call, referrals);
}
