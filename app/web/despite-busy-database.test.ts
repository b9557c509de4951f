import type { ServerBuild } from "@remix-run/node";
import { expect, test } from "vitest";
import { keptLog } from "../../test/samples/kept-log.ts";
import { despiteBusyDatabase } from "./despite-busy-database.ts";

const failure = (code: string) => Object.assign(new Error("failed"), { code });

/** The reading of one page, and its form, which end with this failure; and what is logged. */
function start(error: Error) {
  const { logger, lines } = keptLog("error");
  const fail = () => Promise.reject(error);
  const route = { id: "x", path: "x", module: { default: () => null, loader: fail, action: fail } };
  const build: Pick<ServerBuild, "routes"> = { routes: { x: route } };
  const { module } = despiteBusyDatabase(build, { logger }).routes.x ?? {};
  const answers = [module?.loader, module?.action].map((one) => (one as () => Promise<unknown>)());
  return { lines, answers };
}

test.each(["57014", "55P03", "P1001"])(
  "a page that meets %s says that Pathway is busy, and it is logged",
  async (code) => {
    const { lines, answers } = start(failure(code));
    for (const answer of answers)
      await expect(answer).rejects.toMatchObject({ data: null, init: { status: 503 } });
    expect(lines).toHaveLength(2);
  },
);

test("another failure of a page goes on its way", async () => {
  const error = failure("42703");
  const { lines, answers } = start(error);
  for (const answer of answers) await expect(answer).rejects.toBe(error);
  expect(lines).toEqual([]);
});
