import { expect, test } from "vitest";
import { drawElement } from "../../../test/samples/draw-element.tsx";
import { Timeline } from "./timeline.tsx";

test("says that nothing has happened yet beside entries that are technical alone", async () => {
  const entry = {
    ...{ id: "1", isTechnical: true, sentence: "The order was read", who: "Pathway" },
    ...{ at: "2026-11-20T00:00:00.000Z", about: null, evidence: [] },
  };
  const html = await drawElement(<Timeline entries={[entry]} hasEnded={false} />);
  expect(html).toContain("Nothing has happened yet");
  expect(html).toContain("Technical details");
});

test("says that old entries have ended, and not that nothing has happened", async () => {
  const html = await drawElement(<Timeline entries={[]} hasEnded={true} />);
  expect(html).toContain("Entries older");
  expect(html).not.toContain("Nothing has happened yet");
  expect(html).not.toContain("Re-sync now");
});
