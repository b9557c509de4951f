import { eventually, type TestWorld } from "../harness/index.ts";

/** The newest mail to an address whose subject says so, as soon as it is there. */
export const mailTo = (world: Pick<TestWorld, "store">, email: string, subject: RegExp) =>
  eventually(
    async () => {
      const mails = (await world.store.mail()).filter(({ to }) => to === email);
      const found = mails.find((mail) => subject.test(mail.subject));
      if (!found) throw new Error(`${email} has: ${mails.map((mail) => mail.subject).join("; ")}`);
      return found;
    },
    { what: `a mail to ${email}` },
  );

/** The address that a mail leads to. Throws when it has none. */
export function linkIn({ text }: { text: string }): string {
  const [link] = /http\S+\/t\/\S+/.exec(text) ?? [];
  if (!link) throw new Error("The mail has no link");
  return link;
}

/** The token at the end of a mailed link, as a program shows it. */
export const tokenIn = (link: string): string => link.split("/").at(-1) ?? "";

/** Opens a link as a browser without script does, and answers where the visit is and its cookie. */
export async function openByForm(link: string): Promise<{ address: string; cookie: string }> {
  const answer = await fetch(link, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ intent: "open" }),
  });
  const location = answer.headers.get("location");
  if (answer.status !== 303 || !location) throw new Error(`The link answered ${answer.status}`);
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return { address: new URL(location, link).href, cookie };
}

const codeMails = async (world: TestWorld, email: string) =>
  (await world.store.mail()).filter(({ to, subject }) => to === email && subject === "Your code");

/** Has a code mailed by `ask`, and answers its six digits. */
export async function mailedCode(
  world: TestWorld,
  email: string,
  ask: () => Promise<unknown>,
): Promise<string> {
  const before = (await codeMails(world, email)).length;
  await ask();
  return eventually(
    async () => {
      const mails = await codeMails(world, email);
      const [, code] = /^Your code: (\d{6})$/m.exec(mails[0]?.text ?? "") ?? [];
      if (mails.length <= before || !code) throw new Error(`${email} has no new code`);
      return code;
    },
    { what: `a code for ${email}` },
  );
}

/** One call of the customer interface with a link's own token. */
export const asBearer = (world: TestWorld, token: string, path: string, body?: unknown) =>
  fetch(`${world.line.app_url}/api/customer/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

/** Shows the mailed code, after which the token opens results. Throws when it is not taken. */
export async function stepUp(world: TestWorld, token: string, email: string): Promise<void> {
  const code = await mailedCode(world, email, () => asBearer(world, token, "step-up", {}));
  const { status } = await asBearer(world, token, "step-up", { code });
  if (status !== 204) throw new Error(`The code was answered with ${status}`);
}
