import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { agreedPage } from "./agreed-page.tsx";

test("tells two consents to one test apart for somebody who hears the page", () => {
  const consent = {
    ...{ requestId: "r", title: "Iron studies, order #1001", version: 5 },
    ...{ givenBy: "buyer" as const, wording: ["Who collects: Example Health", "I agree"] },
  };
  const days = ["2026-11-02T03:00:00Z", "2026-11-03T03:00:00Z"];
  const consents = days.map((day) => ({ ...consent, givenAt: new Date(day) }));
  const context = { base: "/visit/x", formToken: "t", timeZone: "Australia/Sydney" };
  const html = renderToStaticMarkup(agreedPage(consents, context).content);
  const textOf = (id: string) => new RegExp(` id="${id}"[^>]*>([^<]*)`).exec(html)?.[1];
  const names = [...html.matchAll(/aria-labelledby="([^"]*)"/g)].map(([, ids = ""]) =>
    ids.split(" ").map(textOf).join(" "),
  );
  expect(names).toEqual([
    expect.stringMatching(/^Iron studies, order #1001 Agreed to on 2 November 2026/),
    expect.stringMatching(/^Iron studies, order #1001 Agreed to on 3 November 2026/),
  ]);
});
