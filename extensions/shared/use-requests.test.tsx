import { afterAll, beforeAll, expect, test } from "vitest";
import { type AppServer, startAppServer } from "../testing/app-server.ts";
import { hostOfLocale } from "../testing/host-of-locale.ts";
import { act, one, renderInto, until } from "../testing/render.tsx";
import { sampleRequest } from "../testing/sample-request.ts";
import { useRequests } from "./use-requests.ts";

const LIST = "GET /api/customer/requests?paged";
let server: AppServer;
beforeAll(async () => {
  server = await startAppServer();
});
afterAll(() => server.close());

function States() {
  const { requests, reload } = useRequests();
  return (
    <>
      <s-text>{requests?.map(({ state }) => state).join() ?? "nothing"}</s-text>
      <s-button onClick={() => reload()}>Again</s-button>
    </>
  );
}

test("an answer that comes after that of a later question changes nothing", async () => {
  server.answer(LIST, 200, []);
  const root = renderInto(hostOfLocale("my-tests"), server.origin, <States />);
  const shown = (text: string, withinMs?: number) =>
    until(() => expect(one(root, "s-text").textContent).toBe(text), withinMs);
  await shown("");
  let letGo = (_: unknown) => {};
  const slow = new Promise((resolve) => {
    letGo = resolve;
  });
  server.answer(LIST, 200, slow);
  act(one(root, "s-button"), "click");
  await until(() => expect(server.received).toHaveLength(2));
  server.answer(LIST, 200, [sampleRequest({ state: "being_prepared" })]);
  act(one(root, "s-button"), "click");
  await shown("being_prepared");
  letGo([sampleRequest({ state: "awaiting_details" })]);
  await expect(shown("awaiting_details", 300)).rejects.toThrow();
});
