import { expect } from "vitest";
import { oneReferralEach } from "../flows/at-the-service.ts";
import { asBearer, linkIn, mailTo, tokenIn } from "../flows/mailed-links.ts";
import type { RequestRow } from "../flows/rows.ts";
import { goShopping, only, type Shopper } from "../flows/shopping.ts";
import { eventually, type TestWorld } from "../harness/index.ts";

/** Somebody without an account, whom only mailed links take to their test. */
export interface LinkReader {
  email: string;
  buyer: Shopper;
  request: RequestRow;
  /** The token of the invitation. */
  invitation: string;
}

/** The token of the newest such mail to somebody. */
export const mailedToken = async (
  world: TestWorld,
  { email }: Pick<LinkReader, "email">,
  subject: RegExp,
): Promise<string> => tokenIn(linkIn(await mailTo(world, email, subject)));

/** Somebody buys a test. */
export async function buyTest(world: TestWorld): Promise<Pick<LinkReader, "buyer" | "request">> {
  const shopping = goShopping(world);
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("bundle").variantId, 1]]);
  return { buyer, request: only(await shopping.requestsWhen(order, 1)) };
}

/** The buyer of a test invites its patient. */
export async function invitePatient(
  world: TestWorld,
  name: string,
  test?: Pick<LinkReader, "buyer" | "request">,
): Promise<LinkReader> {
  const { buyer, request } = test ?? (await buyTest(world));
  const email = goShopping(world).newAddress(name);
  await buyer.api.handOver(request.id, email);
  const invitation = await mailedToken(world, { email }, /ordered something for you/);
  return { email, buyer, request, invitation };
}

/** The patient opens the invitation and gives the details; answers the token of the form's mail. */
export async function giveDetailsByLink(world: TestWorld, reader: LinkReader): Promise<string> {
  const address = `${world.line.app_url}/api/customer/requests/${reader.request.id}/patient`;
  const given = await fetch(address, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${reader.invitation}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ ...goShopping(world).patient(), email: reader.email }),
  });
  expect(given.status).toBe(200);
  return mailedToken(world, reader, /form is ready/);
}

/** The laboratory answers; answers the token of the mail about it. */
export async function resultsCome(world: TestWorld, reader: LinkReader): Promise<string> {
  const referral = only(await eventually(() => oneReferralEach(world, [reader.request])));
  await world.service.generateResults(referral.uuid);
  return mailedToken(world, reader, /something new/);
}

/** None of these lets a program in. */
export async function areShut(world: TestWorld, tokens: readonly string[]): Promise<void> {
  const statuses = await Promise.all(
    tokens.map(async (token) => (await asBearer(world, token, "requests")).status),
  );
  expect(statuses).toEqual(tokens.map(() => 401));
}
