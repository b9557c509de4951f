import type { Words } from "../../../modules/kernel/words.ts";
import type { TokenCode } from "./service-codes.ts";

const CHECK_KEY =
  "Copy the client ID and client secret again from the service (Settings, API Keys) into the connection settings. Staging and production have different keys.";

/** Token service (interface §7.4). */
export const TOKEN_CODE_SENTENCES: Readonly<Record<TokenCode, Words>> = {
  "102": {
    sentence: "The account behind this API key does not exist any more.",
    nextStep:
      "Sign in to the service to check the account, then create a new API key and enter it in the connection settings.",
  },
  "108": {
    sentence: "The connection’s session with the service has ended.",
    nextStep:
      "Pathway normally starts a new one by itself. If you still see this, test the connection in the connection settings.",
  },
  "109": {
    sentence: "The service does not let this API key sign in the way Pathway does.",
    nextStep:
      "Create a new API key in the service under Settings, API Keys. Contact the service’s support if the new one fails too.",
  },
  "110": { sentence: "The service does not know this client ID.", nextStep: CHECK_KEY },
  "111": { sentence: "The client ID is missing.", nextStep: CHECK_KEY },
  "117": {
    sentence: "The service did not find the sign-in that Pathway sent.",
    nextStep: CHECK_KEY,
  },
  "118": {
    sentence: "The service could not read the client ID and client secret.",
    nextStep: `Look for spaces or missing characters. ${CHECK_KEY}`,
  },
  "123": {
    sentence: "Client ID and secret don’t match.",
    nextStep: CHECK_KEY,
  },
};
