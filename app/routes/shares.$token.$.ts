import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import {
  hasShareVisit,
  isShareOpen,
  type OpenShareOutcome,
  openShare,
  openSharedReport,
  reopenShare,
  type SharedResult,
} from "../modules/access/open-share.ts";
import { readUuid } from "../modules/kernel/ids.ts";
import { type CustomerHelp, customerHelp } from "../modules/shops/customer-help.ts";
import { pdfResponse } from "../web/customer-interface/pdf-response.ts";
import { readToken } from "../web/customer-interface/token.ts";
import { despiteOutage } from "../web/customer-pages/despite-outage.ts";
import { documentAwayPage } from "../web/customer-pages/message-pages.tsx";
import { hostedPage, NO_SHOP } from "../web/customer-pages/page-response.tsx";
import { shareCookie, shareVisit } from "../web/customer-pages/session-cookie.ts";
import {
  passcodeAgainPage,
  passcodePage,
  sharedPage,
  shareGonePage,
} from "../web/customer-pages/share-page.tsx";

type Args = LoaderFunctionArgs | ActionFunctionArgs;

/** What a share's address names, and whom to ask about it. */
async function read({ params, context }: Args) {
  const { ports } = context.app;
  const address = readToken(params.token);
  const help = (address && (await customerHelp(ports, address.shop))) ?? NO_SHOP;
  return { ports, address, help, base: `/shares/${params.token}`, path: params["*"] ?? "" };
}

/**
 * GET /shares/{token}: a result that its owner shares with a doctor. Before the passcode it is a form that says nothing of
 * the result. `documents/{id}` below it is the report, for a browser that has shown the passcode.
 */
async function load(args: LoaderFunctionArgs) {
  const { ports, address, help, base, path } = await read(args);
  if (!address || !(await isShareOpen(ports, address)))
    return hostedPage(shareGonePage(), { help });
  const visit = shareVisit(args.request);
  const documentId = readUuid(/^documents\/([^/]+)$/.exec(path)?.[1]);
  // The page with the link to it may have stood open: the passcode is asked for again.
  if (documentId && !(visit && (await hasShareVisit(ports, { ...address, visit }))))
    return hostedPage(passcodeAgainPage(base), { help });
  if (documentId && visit) {
    const report = await openSharedReport(ports, { ...address, visit, documentId }).catch(
      (error: unknown) => documentAwayPage(error, base),
    );
    if (report && "content" in report) return hostedPage(report, { help });
    return report ? pdfResponse(report) : hostedPage(shareGonePage(), { help });
  }
  if (path !== "") return hostedPage(shareGonePage(), { help });
  const shared = visit && (await reopenShare(ports, { ...address, visit }));
  return shared ? show(shared, { base, help }) : hostedPage(passcodePage({ help }), { help });
}

/** POST passcode=…: shows the result, and lets this browser in again for two hours. */
async function act(args: ActionFunctionArgs) {
  const { ports, address, help, base, path } = await read(args);
  if (!address || path !== "") return hostedPage(shareGonePage(), { help });
  // A body that is no form has no passcode.
  const typed = (await args.request.formData().catch(() => new FormData())).get("passcode");
  const passcode = typeof typed === "string" ? typed.slice(0, 100) : "";
  const outcome = await openShare(ports, { ...address, passcode });
  if (outcome.kind !== "opened") return refuse(outcome, { help, now: ports.clock.now() });
  const response = show(outcome.shared, { base, help });
  const secure = ports.appUrl.startsWith("https:");
  response.headers.append("Set-Cookie", shareCookie(outcome.visit, { path: base, secure }));
  return response;
}

const show = (shared: SharedResult, { base, help }: { base: string; help: CustomerHelp }) =>
  hostedPage(sharedPage(shared, base), { help });

function refuse(
  outcome: Exclude<OpenShareOutcome, { kind: "opened" }>,
  { help, now }: { help: CustomerHelp; now: Date },
): Response {
  if (outcome.kind === "gone") return hostedPage(shareGonePage(), { help });
  const seconds =
    outcome.kind === "paused" ? Math.ceil((outcome.until.getTime() - now.getTime()) / 1000) : null;
  const fault = outcome.kind === "malformed" ? "malformed" : "wrong";
  const response = hostedPage(passcodePage({ help, fault, pausedSeconds: seconds }), { help });
  if (seconds) response.headers.set("Retry-After", String(seconds));
  return response;
}

export const loader = despiteOutage(load);
export const action = despiteOutage(act);
