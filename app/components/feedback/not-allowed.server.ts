import { data } from "@remix-run/node";
import type { NotAllowed } from "../../modules/shops/may-do.ts";
import { refuse } from "../../modules/shops/staff-words.ts";
import type { ThrownDescription } from "./describe-error.ts";

/** The answer 403 to somebody whose role does not let them see a page: what it is, and whom to ask. */
export function notAllowed({ right }: NotAllowed) {
  const description: ThrownDescription = {
    title: "Your role doesn’t include this",
    ...refuse(right),
    back: { label: "Go to Home", url: "/app" },
  };
  return data(description, { status: 403 });
}

/** The same for an address without a page, such as a file: the button that asked for it tells why. */
export const fileNotAllowed = ({ right }: NotAllowed): Response =>
  Response.json(refuse(right), { status: 403 });
