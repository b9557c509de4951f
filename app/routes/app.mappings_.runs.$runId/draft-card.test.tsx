import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { drawElement } from "../../../test/samples/draw-element.tsx";
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
