import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { keepPage, UNANSWERED_AFTER_MS } from "./keep-page.ts";

const ROUTES = join(import.meta.dirname, "../../routes");

test("every page of the admin that answers forms keeps what was typed when no answer comes", () => {
  const pages = globSync("app*/route.tsx", { cwd: ROUTES }).filter((name) =>
    /^export (const|async function) action/m.test(readFileSync(join(ROUTES, name), "utf8")),
  );
  expect(pages.length).toBeGreaterThan(15);
  const forgetful = pages.filter((name) => {
    const text = readFileSync(join(ROUTES, name), "utf8");
    return !(
      text.includes("export const clientAction = keepPage;") &&
      text.includes("export const shouldRevalidate = rereadAnswered;")
    );
  });
  expect(forgetful).toEqual([]);
});

test("a form whose answer never comes is told as one, so that it can be sent again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const body = new URLSearchParams({ intent: "save-store" });
  const answering = keepPage({
    request: new Request("https://app.example/app/settings", { method: "POST", body }),
    params: {},
    context: undefined,
    serverAction: () => new Promise(() => {}),
  } as Parameters<typeof keepPage>[0]);
  await vi.advanceTimersByTimeAsync(UNANSWERED_AFTER_MS);
  const answer = z.instanceof(Response).parse(await answering);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({
    form: "save-store",
    errors: { unanswered: expect.stringContaining("try again") },
  });
});
