/** Long because it is a list: each guard is the patch that removes it. */

/**
 * One thing that stands between a paid unit and a lost or a second referral, or between its patient and a wrong paper,
 * and what notices when it is gone.
 */
export interface Guard {
  name: string;
  file: string;
  /** Exactly once in the file. */
  from: string;
  /** The same place without the guard. */
  to: string;
  /** Files of the `app` project that fail without it. */
  test: string;
}

const CREATE = "app/modules/referrals/create-referral.ts";
const RECORD = "app/modules/referrals/requests/record-outcome.ts";
const RESOLVE = "app/modules/referrals/resolve-ambiguous.ts";
const TABLE = "app/modules/referrals/ledger/transitions.ts";
const CREATE_TEST = "app/modules/referrals/create-referral.test.ts";
const LATE_TEST = "app/modules/referrals/requests/late-reports.test.ts";
const TAKEN_OFF_TEST = "app/modules/referrals/requests/taken-off.test.ts";
const SWITCHED_TEST = "app/platform/database/switched-database.test.ts";
const RESOLVE_TEST = "app/modules/referrals/resolve-ambiguous.test.ts";

export const GUARDS: readonly Guard[] = [
  {
    name: "one sender: only a ready request is claimed",
    file: TABLE,
    from: "    retried: sendAgain,\n",
    to: "    retried: sendAgain,\n    claimed: claim,\n",
    test: CREATE_TEST,
  },
  {
    name: "a sender before its deadline is left alone",
    file: RESOLVE,
    from: "  if (overdueAt > now) {",
    to: "  if (overdueAt > now && overdueAt < new Date(0)) {",
    test: RESOLVE_TEST,
  },
  {
    name: "a shop that has uninstalled sends nothing",
    file: "app/modules/shops/find-installed.ts",
    from: "  return shop?.installed ? shop : null;",
    to: "  return shop;",
    test: CREATE_TEST,
  },
  {
    name: "who dies after the claim is looked for",
    file: CREATE,
    from: '      { name: "resolve-ambiguous", shop, requestId },\n      { startAfter: overdueAt },',
    to: '      { name: "refetch-referral", shop, environment: request.environment, uuid: requestId },\n      { startAfter: overdueAt },',
    test: CREATE_TEST,
  },
  {
    name: "the patient is read after the claim",
    file: CREATE,
    from: '    if (found.state === "sending") return watchSender(found, now);',
    to: '    const early = await tenant.requests.patientOf(requestId);\n    tenant.requests.patientOf = async () => early;\n    if (found.state === "sending") return watchSender(found, now);',
    test: CREATE_TEST,
  },
  {
    name: "scans go back to the first attempt",
    file: CREATE,
    from: "scanFrom: found.scanFrom ?? (await scanFrom(tenant, found.environment, now)),",
    to: "scanFrom: await scanFrom(tenant, found.environment, now),",
    test: LATE_TEST,
  },
  {
    name: "a report about one attempt never ends a later one",
    file: TABLE,
    from: "  request.attempt === claimed.attempt &&\n",
    to: "  request.attempt >= 0 ||\n",
    test: LATE_TEST,
  },
  {
    name: "an unclear answer is looked for",
    file: RECORD,
    from: '    name: "resolve-ambiguous",\n',
    to: '    name: "create-referral",\n',
    test: CREATE_TEST,
  },
  {
    name: "what proved unsent is not sent when the unit was taken back",
    file: RECORD,
    from: '  if (await dropUnwanted(tenant, unsent, now)) return { kind: "cancelled" };\n  const job',
    to: "  const job",
    test: LATE_TEST,
  },
  {
    name: "a refused unit that was taken back is cancelled",
    file: RECORD,
    from: "if (refused && (await dropUnwanted(tenant, refused, now)))",
    to: "if (refused && !refused)",
    test: LATE_TEST,
  },
  {
    name: "two scans before sending again",
    file: RESOLVE,
    from: "const SCANS_BEFORE_RESEND = 2;",
    to: "const SCANS_BEFORE_RESEND = 1;",
    test: RESOLVE_TEST,
  },
  {
    name: "the last scan comes after the quarantine",
    file: RESOLVE,
    from: "  const afterQuarantine = scannedAt >= quarantineEnds;",
    to: "  const afterQuarantine = scannedAt >= new Date(0) || quarantineEnds === scannedAt;",
    test: RESOLVE_TEST,
  },
  {
    name: "a scan says nothing about the next attempt",
    file: TABLE,
    from: '=> (request.attempt === attempt ? step : "other_attempt");',
    to: '=> (request.attempt >= attempt ? step : "other_attempt");',
    test: LATE_TEST,
  },
  {
    name: "strict mode leaves sending again to a person",
    file: RESOLVE,
    from: "  const isDecision = settings?.strictMode && !current?.unwanted;",
    to: "  const isDecision = settings?.strictMode && request.attempt < 0;",
    test: RESOLVE_TEST,
  },
  {
    name: "a unit that was taken back is not sent again",
    file: RESOLVE,
    from: '  if (await dropUnwanted(tenant, unsent.request, now)) return { kind: "cancelled" };\n',
    to: "",
    test: LATE_TEST,
  },
  {
    name: "scans go back by the service's clock",
    file: "app/modules/referrals/requests/scan-from.ts",
    from: "  return before < now ? before : now;",
    to: "  return now;",
    test: RESOLVE_TEST,
  },
  {
    name: "ours is what has our number or our id",
    file: RESOLVE,
    from: "    if (ours && isWanted) found.push(referral);",
    to: "    if (isWanted || ours) found.push(referral);",
    test: RESOLVE_TEST,
  },
  {
    name: "the list is read until it is older under either order",
    file: RESOLVE,
    from: '  return Math.max(Date.parse(createdAt ?? ""), Date.parse(updatedAt ?? ""));',
    to: '  return Math.min(Date.parse(createdAt ?? ""), Date.parse(updatedAt ?? ""));',
    test: RESOLVE_TEST,
  },
  {
    name: "what exists ends the ledger, whatever was believed",
    file: TABLE,
    from: "function exists(): Transition {\n",
    to: 'function exists({ state }: LedgerFacts): Transition {\n  if (state !== "sending" && state !== "ambiguous") return "does_not_apply";\n',
    test: LATE_TEST,
  },
  {
    name: "a taken-back unit that was created is shown",
    file: "app/modules/referrals/requests/adopt-referrals.ts",
    from: "  if (created?.unwanted && !isDuplicated)",
    to: "  if (created && !created)",
    test: LATE_TEST,
  },
  {
    name: "an event about a lost referral stops the next sending",
    file: "app/modules/referrals/referrals/record-referral.ts",
    from: "  if (OPEN.includes(request.state)) await adoptReferrals(",
    to: "  if (OPEN.length === 0) await adoptReferrals(",
    test: LATE_TEST,
  },
  {
    name: "what a person has to decide outlives the service's news",
    file: "app/modules/referrals/referrals/record-referral.ts",
    from: "  return attention === null || isOfReferrals(attention) || isOver",
    to: "  return attention !== undefined || isOfReferrals(attention) || isOver",
    test: "app/modules/referrals/referrals/refetch-referral.test.ts",
  },
  {
    name: "an order's requests stand still while it is reconciled",
    file: "app/modules/orders/reconcile-order.ts",
    from: "tenant.requests.forOrderForUpdate(order.id)",
    to: "tenant.requests.forOrder(order.id)",
    test: "app/modules/orders/orders/reconcile-race.test.ts",
  },
  {
    name: "parking and installing do not pass each other",
    file: "app/modules/shops/find-installed.ts",
    from: "seen?.installed ? seen : await tenant.shops.findBeforeInstall();",
    to: "seen;",
    test: "app/modules/orders/orders/park-order.test.ts",
  },
  {
    name: "what an install did not see yet waits for it",
    file: "app/modules/shops/find-installed.ts",
    from: "seen?.installed ? seen : await tenant.shops.findBeforeInstall();",
    to: "seen;",
    test: "app/modules/shops/find-installed.test.ts",
  },
  {
    name: "an empty list of another client's proves nothing",
    file: RESOLVE,
    from: "(isDecision || (await mayBeElsewhere(tenant, request)))",
    to: "isDecision",
    test: "app/modules/shops/connections/other-client.test.ts",
  },
  {
    name: "a sender who met no connection waits for the app's return",
    file: RECORD,
    from: '  if (!shop?.installed) return "app_is_off";\n',
    to: "",
    test: TAKEN_OFF_TEST,
  },
  {
    name: "an install waits for a sender who met no connection",
    file: RECORD,
    from: "  const shop = await tenant.shops.findBeforeInstall();",
    to: "  const shop = await tenant.shops.find();",
    test: TAKEN_OFF_TEST,
  },
  {
    name: "a unit that was given up is not claimed",
    file: CREATE,
    from: '    if (found.state === "ready" && (await dropUnwanted(tenant, found, now)))\n      return { kind: "cancelled" };\n',
    to: "",
    test: "app/modules/referrals/requests/strict-mode-given-up.test.ts",
  },
  {
    name: "a person is asked about no unit that was given up",
    file: RESOLVE,
    from: "  const isDecision = settings?.strictMode && !current?.unwanted;",
    to: "  const isDecision = settings?.strictMode;",
    test: "app/modules/referrals/requests/strict-mode-given-up.test.ts",
  },
  {
    name: "what turns up for a cancelled request is taken back",
    file: "app/modules/referrals/referrals/record-referral.ts",
    from: '  if (request.state === "cancelled" && isLive) await takeBackLate(tenant, request, now);\n',
    to: "",
    test: "app/modules/referrals/requests/late-for-cancelled.test.ts",
  },
  {
    name: "a person retries only what nothing exists of",
    file: TABLE,
    from: '(isLeftToPerson(request) ? sendAgain(request) : "does_not_apply")',
    to: "sendAgain(request)",
    test: "app/modules/referrals/retry-request.test.ts",
  },
  {
    name: "a late call does not leave",
    file: "app/clients/referral-service/request-path.ts",
    from: "      if (call.deadlineAt && clock.now() >= call.deadlineAt) {",
    to: "      if (call.deadlineAt && clock.now() < new Date(0)) {",
    test: "app/clients/referral-service/create-referral.test.ts",
  },
  {
    name: "only a proof makes a call unsent",
    file: "app/clients/referral-service/http/exchange.ts",
    from: "if (error instanceof NotConnectedError) {",
    to: "if (error instanceof Error) {",
    test: "app/clients/referral-service/create-referral.test.ts",
  },
  {
    name: "a call that has its connection may have been heard",
    file: "app/clients/referral-service/http/transport.ts",
    from: '    call.on("error", reject);',
    to: '    call.on("error", (error) => reject(new NotConnectedError(error)));',
    test: "app/clients/referral-service/http/transport.test.ts",
  },
  {
    name: "a shared connection is no proof that it carried nothing",
    file: "app/clients/referral-service/http/transport.ts",
    from: "      if (call.reusedSocket) resolve();",
    to: "      if (call.reusedSocket) return;",
    test: "app/clients/referral-service/http/transport.test.ts",
  },
  {
    name: "5xx proves nothing",
    file: "app/clients/referral-service/create-outcome.ts",
    from: "if (status < 400 || status > 499 || UNPROVEN.has(status)) {",
    to: "if (status < 400 || UNPROVEN.has(status)) {",
    test: "app/clients/referral-service/create-referral.test.ts",
  },
  {
    name: "408, 409 and 429 prove nothing",
    file: "app/clients/referral-service/create-outcome.ts",
    from: "if (status < 400 || status > 499 || UNPROVEN.has(status)) {",
    to: "if (status < 400 || status > 499) {",
    test: "app/clients/referral-service/create-referral.test.ts",
  },
  {
    name: "an install is noted before its session is stored",
    file: "app/clients/shopify/session-storage.ts",
    from: "      if (session.accessToken && !session.isOnline) await beforeStored?.(session);\n",
    to: "",
    test: "app/clients/shopify/session-storage.test.ts",
  },
  {
    name: "a spent refresh token ends its session",
    file: "app/clients/shopify/session-storage.ts",
    from: "          prisma.session.deleteMany({ where: { id } }),\n",
    to: "",
    test: "app/clients/shopify/session-storage.test.ts",
  },
  {
    name: "a late uninstall ends no later install",
    file: "app/modules/shops/postgres/shops.ts",
    from: "data: { scope, installedAt: at, accessRefusedAt: null },",
    to: "data: { scope, accessRefusedAt: null },",
    test: "app/modules/lifecycle/install-shop.test.ts",
  },
  {
    name: "a PDF that was overtaken while it came is not stored",
    file: "app/modules/referrals/documents/store-document.ts",
    from: "const isLater = stored.fetchedAt >= source.askedAt;",
    to: "const isLater = false;",
    test: "app/modules/referrals/documents/overtaken.test.ts",
  },
  {
    name: "the form of a deleted referral does not come back",
    file: "app/modules/referrals/documents/store-document.ts",
    from: '  if (stored.deletedAt) return "by_its_deletion";\n',
    to: "",
    test: "app/modules/referrals/documents/overtaken.test.ts",
  },
  {
    name: "a result is judged while nobody releases it",
    file: "app/modules/referrals/results/refetch-result.ts",
    from: "const locked = found && (await tenant.requests.findForUpdate(found.id));",
    to: "const locked = found;",
    test: "app/modules/referrals/results/release-race.test.ts",
  },
  {
    name: "a result is released while nobody judges it",
    file: "app/modules/referrals/release-result.ts",
    from: "const request = await tenant.requests.findForUpdate(requestId);",
    to: "const request = await tenant.requests.find(requestId);",
    test: "app/modules/referrals/results/release-race.test.ts",
  },
  {
    name: "each transaction compares the database's identity",
    file: "app/tenancy.ts",
    from: "  if (row?.isSwitched !== false) throw new DatabaseSwitched();\n",
    to: "  if (row?.isSwitched === undefined) throw new DatabaseSwitched();\n",
    test: SWITCHED_TEST,
  },
  {
    name: "each new connection compares the database's identity",
    file: "app/platform/database/pause-after-restore.ts",
    from: "    if (rows[0]?.isNoted) return;\n",
    to: "    if (rows.length > 0) return;\n",
    test: SWITCHED_TEST,
  },
  {
    name: "a pause ends when lost attempts have settled",
    file: "app/modules/referrals/resume-after-restore.ts",
    from: "  createTimeoutMs + REPORTING_GRACE_MS + quarantineMs;",
    to: "  (createTimeoutMs + REPORTING_GRACE_MS + quarantineMs) * 0;",
    test: "app/platform/database/pause-after-restore.test.ts",
  },
  {
    name: "scans allow no resend during a pause",
    file: RESOLVE,
    from: "(await tenant.restores.holds(request.environment, request.referenceNumber)).isPaused",
    to: "!(await tenant.restores.holds(request.environment, request.referenceNumber))",
    test: "app/platform/database/pause-after-restore.test.ts",
  },
  {
    name: "an unclear answer brings back its forgotten claim",
    file: TABLE,
    from: "  if (!request.hasPatient || request.attempt >= claimed.attempt) return",
    to: "  if (!request.hasPatient || claimed.attempt > 0) return",
    test: SWITCHED_TEST,
  },
  {
    name: "an answer to a forgotten claim ends no later attempt of the same number",
    file: TABLE,
    from: "  request.attemptDeadlineAt?.getTime() === claimed.attemptDeadlineAt?.getTime();",
    to: "  claimed.attempt > 0;",
    test: SWITCHED_TEST,
  },
  {
    name: "referrals whose order is forgotten are kept for it",
    file: "app/modules/referrals/requests/adopt-referrals.ts",
    from: "  if (!found) return keepInMind(tenant, request, referrals);\n",
    to: "  if (!found) return;\n",
    test: SWITCHED_TEST,
  },
  {
    name: "nobody gives details of a unit that is just being handed over",
    file: "app/modules/access/find-held.ts",
    from: "ifHeld(await tenant.requests.findForUpdate(requestId), viewer, opening)",
    to: "ifHeld(await tenant.requests.find(requestId), viewer, opening)",
    test: "app/modules/access/hand-over.test.ts",
  },
  {
    name: "a link is opened before its unit goes to somebody else, or after",
    file: "app/modules/access/open-link.ts",
    from: "  await tenant.requests.findForUpdate(known.requestId);\n",
    to: "",
    test: "app/modules/access/hand-over.test.ts",
  },
  {
    name: "an item of a batch is with one worker",
    file: "app/modules/kernel/postgres/batches.ts",
    from: " FOR UPDATE OF i SKIP LOCKED",
    to: "",
    test: "app/modules/kernel/work-batch.test.ts",
  },
  {
    name: "an item of a batch and its outcome are one transaction",
    file: "app/modules/kernel/work-batch.ts",
    from: "{ ...ports, tenancy: within(tenant) }",
    to: "{ ...ports, tenancy }",
    test: "app/modules/kernel/work-batch.test.ts",
  },
  {
    name: "what was cancelled since a batch noted it is not ordered again",
    file: "app/modules/referrals/reorder-billing-failed.ts",
    from: "const [requestId] = await tenant.referrals.billingFailed(item.subject);",
    to: "const requestId = item.subject;",
    test: "app/modules/referrals/reorder-billing-failed.test.ts",
  },
];
