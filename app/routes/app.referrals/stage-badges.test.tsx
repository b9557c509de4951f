import { expect, test } from "vitest";
import { drawElement } from "../../../test/samples/draw-element.tsx";
import type { OrderRow } from "./present-orders.ts";
import { StageBadges } from "./stage-badges.tsx";

test("counts the tests in each stage so that one reads as well as two", async () => {
  const badges: OrderRow["badges"] = [
    { name: "Results ready", tone: "success", count: 1 },
    { name: "Needs attention", tone: "warning", count: 2 },
  ];
  const html = await drawElement(<StageBadges order={{ badges }} />);
  expect(html).toContain("1 × Results ready");
  expect(html).toContain("2 × Needs attention");
});
