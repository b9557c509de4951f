import type { Words } from "../kernel/words.ts";
import type { SelfTestOutcome } from "./self-test.ts";

/** How far Pathway's own event came on its way to itself. */
export function describeSelfTest(outcome: SelfTestOutcome): Words {
  switch (outcome.kind) {
    case "handled":
      return {
        sentence: "The event reached Pathway, its signature was right, and it was handled.",
        nextStep:
          "Events of the service take the same way, once its webhook settings have this address.",
      };
    case "no_connection":
      return {
        sentence: "This environment isn’t connected.",
        nextStep: "Save the connection first.",
      };
    case "no_secret":
      return {
        sentence: "There is no signing secret, so every event would be turned away.",
        nextStep: "Enter the signing secret that the service shows beside the address, and save.",
      };
    case "unreachable":
      return {
        sentence: `Pathway’s public address can’t be reached${UNREACHABLE[outcome.code] ?? "."}`,
        nextStep:
          "The service can’t reach it either. Whoever runs Pathway has to check the address, DNS and the proxy in front of it.",
      };
    case "not_verified":
      return {
        sentence:
          "The event arrived, but its signature was refused: something on the way changes it.",
        nextStep:
          "Whoever runs Pathway has to check that the proxy passes headers and body on unchanged.",
      };
    case "not_ours":
      return {
        sentence: `Something other than this Pathway answered at the address (${outcome.status}).`,
        nextStep:
          "Whoever runs Pathway has to check that SHOPIFY_APP_URL leads here, without a redirect.",
      };
    case "busy":
      return {
        sentence: "Pathway was reached but couldn’t store the event just now.",
        nextStep:
          "Wait a minute, then test again. The service repeats events that are answered so.",
      };
    case "not_handled":
      return {
        sentence: "The event was received and verified, but nothing has handled it yet.",
        nextStep: "Whoever runs Pathway has to check that a worker is running.",
      };
  }
}

const UNREACHABLE: Record<string, string> = {
  ENOTFOUND: ": its name isn’t known in DNS.",
  EAI_AGAIN: ": its name couldn’t be looked up.",
  ECONNREFUSED: ": nothing listens there.",
  timeout: ": it didn’t answer within ten seconds.",
  CERT_HAS_EXPIRED: ": its certificate has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: ": its certificate isn’t trusted.",
  ERR_TLS_CERT_ALTNAME_INVALID: ": its certificate is for another name.",
};
