/** A form that is sent while the app restarts: its page says to reload, and the browser sends what was typed once more. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { messagePage } from "../../app/web/customer-pages/message-pages.tsx";
import { launchBrowser } from "../../sandbox/store/web/testing/browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test("a reload of the page that can’t be shown sends the form again as it was typed", async () => {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === "POST") bodies.push(Buffer.concat(chunks).toString());
    const away = messagePage("and_here.away", { status: 503 });
    response.writeHead(bodies.length === 1 ? away.status : 200, {
      "content-type": "text/html; charset=utf-8",
    });
    if (request.method !== "POST")
      response.end(`<form method="post"><input name="lastName"><button>Save</button></form>`);
    else if (bodies.length === 1) response.end(renderToStaticMarkup(away.content));
    else response.end("<h1>Details saved</h1>");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.getByRole("textbox").fill("O’Neill");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("reload this page").waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Details saved" }).waitFor();
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toBe(bodies[0]);
  expect(new URLSearchParams(bodies[1]).get("lastName")).toBe("O’Neill");
  await page.close();
  server.closeAllConnections();
  server.close();
});
