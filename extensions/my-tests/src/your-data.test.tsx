import { afterAll, beforeAll, expect, test } from "vitest";
import { type AppServer, startAppServer } from "../../testing/app-server.ts";
import { hostOfLocale } from "../../testing/host-of-locale.ts";
import { act, all, one, renderInto, until } from "../../testing/render.tsx";
import { sampleRequest } from "../../testing/sample-request.ts";
import { YourData } from "./your-data.tsx";

let server: AppServer;
beforeAll(async () => {
  server = await startAppServer();
});
afterAll(() => server.close());

function show(state: "results_ready" | "results_hidden", timeZone: string | null = null) {
  const requests = [sampleRequest({ state })];
  const id = requests[0]?.id ?? "";
  server.answer(`GET /api/customer/requests/${id}/erasure?unseen`, 200, { effect: "has_results" });
  let changes = 0;
  const page = <YourData requests={requests} timeZone={timeZone} onChanged={() => changes++} />;
  const root = renderInto(hostOfLocale("my-tests"), server.origin, page);
  const press = async (name: string) => {
    await until(() => one(root, "s-button", name));
    act(one(root, "s-button", name), "click");
  };
  return { root, id, press, changes: () => changes };
}

const DELETE_ONE = "Delete the data of Iron studies, order #1001";

test.each([
  ["results_ready", "Hide the results instead", "PUT", "The results are hidden"],
  ["results_hidden", "Show the results again", "DELETE", "The results are shown again"],
] as const)("a test that is %s offers: %s", async (state, button, method, told) => {
  const { root, id, press, changes } = show(state);
  server.answer(`${method} /api/customer/requests/${id}/hidden`, 204, "");
  await press(DELETE_ONE);
  await press(button);
  await until(() => one(root, "s-banner", told));
  expect(changes()).toBe(1);
  expect(server.received.at(-1)).toMatchObject({
    method,
    path: `/api/customer/requests/${id}/hidden`,
  });
});

test("tells of a result that nobody has seen, and deletes nothing where it came meanwhile", async () => {
  const { root, id, press } = show("results_ready");
  const erasure = `/api/customer/requests/${id}/erasure`;
  const unseen = { effect: "unseen_results" };
  server.answer(`GET ${erasure}?unseen`, 200, unseen);
  server.answer(`POST ${erasure}`, 409, { error: "…" });
  await press(DELETE_ONE);
  await until(() => one(root, "s-button", "Delete my data"));
  expect(root.textContent).toContain("that you haven’t been shown yet");
  await press("Delete my data");
  await until(() => one(root, "s-banner", "It is too late for that"));
  const posted = server.received.find(({ method }) => method === "POST");
  expect(posted).toMatchObject({ path: erasure, body: unseen });
});

function unfold(root: Element, name: string): Element {
  const details = all(root, "s-details").find(({ textContent }) => textContent?.includes(name));
  if (!details) throw new Error("There is no such part");
  act(details, "toggle");
  return details;
}

test.each([
  ["Australia/Perth", "2 Nov 2026, 11:00 am AWST"],
  [null, "2 Nov 2026, 2:00 pm AEDT"],
])("tells a look's time of day with its zone: %s", async (timeZone, moment) => {
  const { root } = show("results_ready", timeZone);
  const look = { at: "2026-11-02T03:00:00Z", text: "Somebody opened the form", title: "Iron" };
  server.answer("GET /api/customer/access-log", 200, [look]);
  const details = unfold(root, "Who opened what");
  await until(() => one(details, "s-list-item", `${moment}: ${look.text} (Iron)`));
});

test("shows the very words that were agreed to, with their day and version", async () => {
  const { root } = show("results_ready");
  const wording = ["Who collects: Example Health.", "I agree to this"];
  const agreed = { title: "Iron studies", version: 4, givenAt: "2026-11-02T03:00:00Z", wording };
  server.answer("GET /api/customer/consents", 200, [agreed]);
  const details = unfold(root, "What you agreed to");
  await until(() => one(details, "s-heading", "Iron studies: 2 Nov 2026, version 4"));
  for (const paragraph of wording) expect(details.textContent).toContain(paragraph);
});

test("offers to delete no data of a test that is an invited patient's, also once it is cancelled", () => {
  const handOver = { state: "sent", canTakeBack: false };
  const requests = [
    sampleRequest({ id: "a", state: "handed_over", handOver }),
    sampleRequest({ id: "b", state: "cancelled", handOver }),
    sampleRequest({ id: "c", state: "cancelled", title: "Ferritin" }),
  ];
  const page = <YourData requests={requests} timeZone={null} onChanged={() => {}} />;
  const root = renderInto(hostOfLocale("my-tests"), server.origin, page);
  const offered = all(root, "s-button").map(({ textContent }) => textContent);
  expect(offered.filter((name) => name?.startsWith("Delete the data of"))).toEqual([
    "Delete the data of Ferritin, order #1001",
  ]);
});
