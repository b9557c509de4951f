import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { messagePage, notFoundPage } from "./message-pages.tsx";

test.each([
  ["a result", notFoundPage("/visit/x")],
  ["a document", messagePage("and_here.document_closed", { status: 404 })],
])(
  "says of %s that could be seen before that results are taken back or checked again",
  (_, page) => {
    const html = renderToStaticMarkup(page.content);
    expect(html).toContain("its results were taken back or are being checked again");
  },
);
