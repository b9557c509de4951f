import { isSealedShut } from "../../../platform/key-troubles.ts";
import { tolerate } from "../../../platform/tolerate.ts";
import type { ShopDomain } from "../../kernel/ids.ts";
import { CONNECTION_UNREADABLE } from "../../shops/connection.ts";
import type { Ports } from "../ports.ts";
import type { CreateOutcome, ReferralService } from "../referral-service.ts";
import type { ReferralRequest } from "../request.ts";

type NotSent = Extract<CreateOutcome, { kind: "not_sent" }>;

/**
 * Returns the service that a request is sent to, or why nothing is sent: there is no connection, or its credentials can't be read. A database
 * that was away is there again soon. Credentials that can't be opened stay so until somebody enters them anew, or puts the keys right.
 */
export async function openConnection(
  { services, logger }: Pick<Ports, "services" | "logger">,
  shop: ShopDomain,
  { environment }: Pick<ReferralRequest, "environment">,
): Promise<{ service: ReferralService } | NotSent> {
  const notSent = { kind: "not_sent", retryAfterMs: null } as const;
  try {
    const service = await services.forConnection(shop, environment);
    return service ? { service } : { ...notSent, reason: "no_connection", retryable: false };
  } catch (error) {
    // Told in the request's timeline, and to a person where that is needed.
    tolerate(logger, "create.connection")(error);
    return { ...notSent, reason: CONNECTION_UNREADABLE, retryable: !isSealedShut(error) };
  }
}
