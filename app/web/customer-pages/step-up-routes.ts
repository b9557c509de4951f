import { checkCode, stepUpState } from "../../modules/access/check-code.ts";
import { LinkRefused } from "../../modules/access/link-access.ts";
import type { LinkPurpose } from "../../modules/access/link-purpose.ts";
import { sendCode } from "../../modules/access/send-code.ts";
import type { Call } from "./call.ts";
import { type CodeFault, codePage } from "./code-page.tsx";
import { notFoundPage } from "./message-pages.tsx";
import type { Page } from "./page.tsx";
import { goTo } from "./page-response.tsx";

/** The page that asks for the code, on the way to what needs one. */
export async function showCode(call: Call, fault: CodeFault = null): Promise<Page | Response> {
  const { ports, viewerScope, context } = call;
  if (viewerScope.viewer.kind === "customer") return notFoundPage(context.base);
  refuseWithout(call, viewerScope.viewer.link.purpose);
  const state = await stepUpState(ports, viewerScope);
  if (!state) return goTo(target(call));
  return codePage(state, context, { fault, now: ports.clock.now() });
}

/** Results are never on the way of a link that was mailed for something else: a code would be for nothing. */
function refuseWithout({ path }: Call, purpose: LinkPurpose): void {
  if (/^(results|documents)\//.test(path) && purpose !== "results")
    throw new LinkRefused("other_purpose");
}

/** Mails a code, or takes one. */
export async function takeCode(call: Call): Promise<Page | Response> {
  const { ports, viewerScope, form } = call;
  if (viewerScope.viewer.kind === "customer") return notFoundPage(call.context.base);
  refuseWithout(call, viewerScope.viewer.link.purpose);
  if (form.get("intent") === "send") {
    const { kind } = await sendCode(ports, viewerScope);
    const isTold = kind === "not_mailed" || kind === "unclear";
    return isTold ? showCode(call, kind) : goTo(`${target(call)}/code`);
  }
  const typed = form.get("code");
  const code = typeof typed === "string" ? typed.slice(0, 100) : "";
  const { kind } = await checkCode(ports, { ...viewerScope, code });
  switch (kind) {
    case "accepted":
      return goTo(target(call));
    case "paused":
      return showCode(call);
    case "wrong":
    case "malformed":
    case "no_code":
      return showCode(call, kind);
  }
}

/** The address that the visitor was on the way to: this one without its end. */
const target = ({ context, path }: Call): string =>
  `${context.base}/${path.replace(/\/code\/?$/, "")}`;
