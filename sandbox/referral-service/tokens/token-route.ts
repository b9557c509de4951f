import { type Answer, json } from "../http/answer.ts";
import { readBody } from "../http/read-body.ts";
import type { Route, RoutedRequest } from "../http/router.ts";
import type { TokenIssuer } from "./issue-tokens.ts";
import { TokenError } from "./token-error.ts";

const formType = "application/x-www-form-urlencoded";

/** POST {auth_url}/oauth/token (interface §4.1); any other content type is refused. */
export function tokenRoute(issuer: TokenIssuer): Route {
  const handle = async ({ message }: RoutedRequest): Promise<Answer> => {
    try {
      const body = await readBody(message);
      const type = (message.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
      if (type !== formType) {
        throw new TokenError("InvalidGrantType", `Content-Type must be ${formType}`);
      }
      return json(await issuer.issue(message.headers.authorization, new URLSearchParams(body)));
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      return json(error.body(), error.status);
    }
  };
  return { method: "POST", pattern: "/oauth/token", handle };
}
