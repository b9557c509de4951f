/** What the processes log in with. `pathway_tenant` is the role that a transaction of one shop takes. */
export const LOGINS = ["pathway_web", "pathway_worker", "pathway_intake"] as const;
export type Login = (typeof LOGINS)[number];

/** The address of the same database for another login. */
export function loginAs(url: string, login: Login, password = ""): string {
  const own = new URL(url);
  own.username = login;
  own.password = encodeURIComponent(password);
  return own.href;
}
