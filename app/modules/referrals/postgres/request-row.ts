import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { columnsOf, rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import { UNIT_OWNERS } from "../../patients/unit-owner.ts";
import { ENVIRONMENTS } from "../../shops/connection.ts";
import { CANCELLATION_STATUSES, CANCELLERS, type Cancellation } from "../cancellation.ts";
import { REFERRAL_PARTS, REQUEST_STATES, type ReferralRequest } from "../request.ts";
import { isResultReason, type ReviewReason } from "../review-reason.ts";
import { STAGES } from "../stage.ts";
import { orderedItems } from "./ordered-items.ts";

export type RequestRow = NonNullable<
  Awaited<ReturnType<Scope["tx"]["referralRequest"]["findUnique"]>>
>;

const FIELDS = Object.values(Prisma.ReferralRequestScalarFieldEnum);

/** The columns that a statement selects or returns to be given whole rows. */
export const REQUEST_COLUMNS = Prisma.raw(columnsOf(FIELDS));

export const readRequests = rowsOf<RequestRow>("referral_requests", FIELDS);

/** Undefined leaves the columns as they are; null empties them. */
export const cancellationColumns = (cancellation: Cancellation | null | undefined) =>
  cancellation === undefined
    ? {}
    : {
        cancellationRequestedBy: cancellation?.requestedBy ?? null,
        cancellationStatus: cancellation?.status ?? null,
      };

/** The two columns of each reason that changes. */
export function reasonColumns(
  changed: Partial<Record<"review" | "handled" | "reason", ReviewReason | null>>,
) {
  return Object.fromEntries(
    Object.entries(changed).flatMap(([name, reason]) =>
      reason === undefined
        ? []
        : [
            [`${name}Code`, reason?.code ?? null],
            [`${name}Detail`, reason?.detail ?? null],
          ],
    ),
  );
}

/** Another version may have written a reason that this one has no words for: a person is needed all the same. */
const toReason = (code: string | null, detail: string | null) =>
  code === null ? null : ({ code, detail } as ReviewReason);

/**
 * An earlier version wrote the reason of a result into the place of every other, and left it there once a person had dealt with it.
 * The next writing parts them.
 */
function toReasons({ resultCode, reviewCode, reviewDetail, handledCode }: RequestRow) {
  if (isResultReason(reviewCode))
    return { resultReason: handledCode === reviewCode ? null : reviewCode, reviewReason: null };
  return {
    resultReason: isResultReason(resultCode) ? resultCode : null,
    reviewReason: toReason(reviewCode, reviewDetail),
  };
}

export function toRequest(row: RequestRow): ReferralRequest {
  return {
    id: row.id,
    environment: parseEnum(ENVIRONMENTS, row.environment),
    orderId: gid("Order", row.orderId),
    lineItemId: gid("LineItem", row.lineItemId),
    unit: row.unit,
    generation: row.generation,
    referenceNumber: row.referenceNumber,
    title: row.title,
    items: orderedItems(row),
    state: parseEnum(REQUEST_STATES, row.state),
    ...toReasons(row),
    handledReason: toReason(row.handledCode, row.handledDetail),
    stage: parseEnum(STAGES, row.stage),
    reason: toReason(row.reasonCode, row.reasonDetail),
    cancellation:
      row.cancellationRequestedBy === null || row.cancellationStatus === null
        ? null
        : {
            requestedBy: parseEnum(CANCELLERS, row.cancellationRequestedBy),
            status: parseEnum(CANCELLATION_STATUSES, row.cancellationStatus),
          },
    missingPart: row.missingPart === null ? null : parseEnum(REFERRAL_PARTS, row.missingPart),
    riskAccepted: row.riskAccepted,
    underAge: row.underAge,
    kept: row.kept,
    replacedBy: row.replacedBy,
    customerId: row.customerId === null ? null : gid("Customer", row.customerId),
    hasPatient: row.patientSealed !== null,
    consentAt: row.consentAt,
    owner: parseEnum(UNIT_OWNERS, row.owner),
    invitedAt: row.invitedAt,
    acceptedAt: row.acceptedAt,
    remindersStoppedAt:
      row.owner === "buyer" ? row.remindersStoppedAt : row.patientRemindersStoppedAt,
    resultsHiddenAt: row.resultsHiddenAt,
    mailRefusedAt: row.mailRefusedAt,
    redactedAt: row.redactedAt,
    attempt: row.attempt,
    attemptStartedAt: row.attemptStartedAt,
    attemptDeadlineAt: row.attemptDeadlineAt,
    recoveryLowerBound: row.recoveryLowerBound,
    emptyScans: row.emptyScans,
    orderPaidAt: row.orderPaidAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
