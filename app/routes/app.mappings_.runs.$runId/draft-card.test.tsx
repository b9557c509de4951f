import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { drawElement } from "../../../test/samples/draw-element.tsx";
import { describeCounts } from "../../modules/catalogue/mapping-run-words.ts";
import { newRun } from "../../modules/catalogue/start-run.ts";
import { ENVIRONMENTS } from "../../modules/shops/connection.ts";
import { presentRun } from "../app.mappings/present-mappings.ts";
import { DraftCard } from "./draft-card.tsx";

test.each(ENVIRONMENTS)(
  "a draft says that it is for %s, and so does the next file",
  async (environment) => {
    const counts = { done: 0, nothing_to_do: 0, refused: 0, failed: 0, waiting: 2, total: 2 };
    const made = {
      environment,
      kind: "file",
      state: "draft",
      at: START,
      actor: "staff:1",
    } as const;
    const run = newRun({ ...made, fileName: "m.csv" });
    const html = await drawElement(
      <DraftCard run={presentRun({ ...run, counts, mayUndo: false })} />,
    );
    expect(html).toContain(`For ${environment}.`);
    expect(html).toContain(`Apply 2 changes to ${environment}`);
    expect(html).toContain(`/app/mappings/import?environment=${environment}`);
  },
);

test("a draft with errors leads to them: those of a long file stand on any of its pages", async () => {
  const made = { environment: "staging", kind: "file", state: "draft", at: START } as const;
  const run = newRun({ ...made, actor: "staff:1", fileName: "m.csv" });
  const draw = (refused: number) => {
    const counts = {
      done: 0,
      nothing_to_do: 0,
      refused,
      failed: 0,
      waiting: 2,
      total: 2 + refused,
    };
    return drawElement(<DraftCard run={presentRun({ ...run, counts, mayUndo: false })} />);
  };
  const html = await draw(20);
  expect(html).toContain(`/app/mappings/runs/${run.id}?outcome=refused`);
  expect(html).toContain("Show the 20 errors");
  expect(await draw(0)).not.toContain("outcome=refused");
});

test("a cancelled file of one line says that this line was left as it was", () => {
  const counts = { done: 0, nothing_to_do: 0, refused: 0, failed: 0, waiting: 1, total: 1 };
  expect(describeCounts(counts, { state: "cancelled", kind: "file" })).toBe(
    "1 line left as it was.",
  );
});
