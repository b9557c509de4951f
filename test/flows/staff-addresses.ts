import { expect } from "vitest";
import type { TestWorld } from "../harness/index.ts";
import { appRoutes } from "./app-routes.ts";

export const BROWSER =
  "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0";

/** Every address that staff have. */
async function staffAddresses(): Promise<string[]> {
  const paths = (await appRoutes()).filter((path) => /^\/(app|api\/admin)(\/|$)/.test(path));
  expect(paths.length).toBeGreaterThan(25);
  return paths;
}

/**
 * Opens every address that staff have, or the given ones, with each method, as somebody to whom each answers no and names no order. Before anybody
 * signs in, a form without its fields and a page that takes none are refused as for everybody.
 */
export async function nothingIsShown(
  world: TestWorld,
  {
    token,
    orderId,
    answers,
    paths,
  }: {
    token: () => Promise<string>;
    orderId: string;
    answers: { status: number; words: string };
    paths?: string[];
  },
): Promise<void> {
  const number = orderId.slice(orderId.lastIndexOf("/") + 1);
  const asked = paths ?? (await staffAddresses());
  const closed: string[] = [];
  for (const path of asked)
    for (const method of ["GET", "POST"]) {
      const filled = path.replace(":number", number).replace(/:\w+|\*/g, "1");
      const answer = await fetch(`${world.line.app_url}${filled}`, {
        method,
        headers: { authorization: `Bearer ${await token()}`, "user-agent": BROWSER },
        body: method === "POST" ? new URLSearchParams({ intent: "save-policies" }) : undefined,
        redirect: "manual",
      });
      const text = await answer.text();
      expect(text, `${method} ${path}`).not.toContain(number);
      if (answer.status === answers.status && text.includes(answers.words)) closed.push(path);
      else expect([400, 405], `${method} ${path}`).toContain(answer.status);
    }
  expect(asked.filter((path) => !closed.includes(path))).toEqual([]);
}
