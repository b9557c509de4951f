import { expect, test } from "vitest";
import { drawElement } from "../../../test/samples/draw-element.tsx";
import { OutageText, type OutageView } from "../feedback/outage-banner.tsx";
import { Waits } from "./waits.tsx";

const SINCE = "2026-11-20T00:00:00.000Z";

test("says in whole sentences what is waited for, and since when the service is away", async () => {
  const waits = [{ kind: "details" as const, since: SINCE, remindedAt: null }];
  const html = await drawElement(<Waits waits={waits} />);
  expect(html).toContain("Waiting for the patient’s details since");
  const outage: OutageView = {
    ...{ title: "Away", badge: "Away", sentence: "The service did not answer.", since: SINCE },
    ...{ byItself: "", nextStep: "", action: null, isDown: true },
  };
  const said = await drawElement(<OutageText outage={outage} />);
  expect(said).toContain("The service did not answer. It has been so since <");
});
