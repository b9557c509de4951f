import pg from "pg";

/** What the processes log in with. `pathway_tenant` is the role that a transaction of one shop takes. */
export const LOGINS = ["pathway_web", "pathway_worker", "pathway_intake"] as const;
export type Login = (typeof LOGINS)[number];

/** The address of the server itself, with the login of an address that leads through a proxy. Each may be a socket. */
export function directly(url: string, direct: string | undefined): string {
  if (!direct) return url;
  const { user, password } = new pg.Client(url);
  const login = new URLSearchParams({ user: user ?? "", ...(password && { password }) });
  // A parameter behind the question mark counts more than the same before the host.
  return `${direct}${direct.includes("?") ? "&" : "?"}${login}`;
}

/** The address of the same database for another login, without a password. */
export function loginAs(url: string, login: Login): string {
  const own = new URL(url);
  own.username = login;
  own.password = "";
  return own.href;
}
