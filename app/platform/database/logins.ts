/** What the processes log in with. `pathway_tenant` is the role that a transaction of one shop takes. */
export const LOGINS = ["pathway_web", "pathway_worker", "pathway_intake"] as const;
export type Login = (typeof LOGINS)[number];

/** The address of the server itself, with the login of an address that leads through a proxy. */
export function directly(url: string, direct: string | undefined): string {
  if (!direct) return url;
  const { username, password } = new URL(url);
  const own = new URL(direct);
  own.username = username;
  own.password = password;
  return own.href;
}

/** The address of the same database for another login. */
export function loginAs(url: string, login: Login, password = ""): string {
  const own = new URL(url);
  own.username = login;
  own.password = encodeURIComponent(password);
  return own.href;
}
