import { afterEach, expect, test, vi } from "vitest";
import { fetchFile } from "./download-file.ts";

afterEach(() => vi.unstubAllGlobals());

const AGAIN = "The file couldn’t be fetched. Try again.";

/** The network's answer in place of a file. */
const answers = (answer: () => Promise<Response>) => vi.stubGlobal("fetch", answer);

test("takes a file that comes whole", async () => {
  answers(async () => new Response("Order\n#1001\n"));
  const content = await fetchFile("/app/referrals.csv");
  expect(content instanceof Blob && (await content.text())).toBe("Order\n#1001\n");
});

test("says that a file which breaks off in the middle was not fetched", async () => {
  const halves = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode("Order\n#10"));
      controller.error(new TypeError("network error"));
    },
  });
  answers(async () => new Response(halves));
  expect(await fetchFile("/app/referrals.csv")).toBe(AGAIN);
});

test.each<[string, () => Promise<Response>]>([
  ["no answer", async () => Promise.reject(new TypeError("Failed to fetch"))],
  ["a failing server", async () => new Response("Bad gateway", { status: 502 })],
  ["a refusal in another form", async () => new Response("<p>Forbidden</p>", { status: 403 })],
])("says so when there is %s", async (_, answer) => {
  answers(answer);
  expect(await fetchFile("/app/referrals.csv")).toBe(AGAIN);
});

test("says who may, when a role was taken away meanwhile", async () => {
  const words = { sentence: "Only managers can.", nextStep: "Ask one." };
  answers(async () => Response.json(words, { status: 403 }));
  expect(await fetchFile("/app/referrals.csv")).toBe("Only managers can. Ask one.");
});
