import { randomUUID } from "node:crypto";
import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/node";
import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { openLink } from "../../modules/access/open-link.ts";
import { composeCodeMail } from "../../modules/access/step-up/compose-code-mail.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { NOTIFICATION_KINDS } from "../../modules/kernel/notification.ts";
import {
  composeMail,
  composeNews,
} from "../../modules/notifications/notifications/compose-mail.ts";
import { readersOf } from "../../modules/shops/alert.ts";
import * as documentTicket from "../../routes/documents.$ticket.ts";
import * as exportTicket from "../../routes/exports.$ticket.ts";
import * as proxy from "../../routes/proxy.$.ts";
import * as share from "../../routes/shares.$token.$.ts";
import * as stop from "../../routes/stop.$token.ts";
import * as mailedLink from "../../routes/t.$token.ts";
import * as visit from "../../routes/visit.$address.$.ts";
import { writeToken } from "../customer-interface/token.ts";
import { SITE } from "./page-routes.ts";
import { foreignClasses } from "./testing/foreign-classes.ts";

const db = await openTestDatabase();
const HELP = {
  shopName: "Example Health",
  email: "help@example.com",
  phone: "03 9000 0000",
  hours: "Mon to Fri, 9 to 5",
};
const BLOCK = Object.values(HELP);
const SHOWN = { ...HELP, timeZone: "Australia/Sydney" };
let world: Awaited<ReturnType<typeof startLinked>>;
beforeEach(async () => {
  world = await startLinked(db);
  const { shopName: _, ...help } = HELP;
  await db.tenancy.inShop(world.shop, (tenant) => tenant.shops.updateSettings({ help }));
});

type Route = {
  loader: (args: LoaderFunctionArgs) => Promise<Response>;
  action?: (args: LoaderFunctionArgs) => Promise<Response>;
};

/** Asks a route as a browser does, and answers its page; null for what is no page, such as a PDF or a redirect. */
async function ask(
  route: Route,
  params: Record<string, string>,
  {
    method = "GET",
    cookie = "",
    app = {},
    form = {},
  }: { method?: string; cookie?: string; app?: object; form?: Record<string, string> } = {},
): Promise<string | null> {
  const request = new Request("https://app.example/page", {
    method,
    headers: cookie ? { cookie } : {},
    ...(method === "POST" ? { body: new URLSearchParams(form) } : {}),
  });
  const context = { app: { ports: world.ports, ...app } } as unknown as AppLoadContext;
  const handler = method === "POST" ? route.action : route.loader;
  if (!handler) throw new Error("The route takes no form");
  const response = await handler({ request, params, context });
  const isPage = /html|liquid/.test(response.headers.get("content-type") ?? "");
  if (!isPage) return null;
  const page = await response.text();
  // Every page that this file meets is asked: the ones inside a theme are the same.
  expect(foreignClasses(page), request.url).toEqual([]);
  return page;
}

/** A telephone number is on one line. */
const missing = (text: string) =>
  BLOCK.filter((part) => !text.replaceAll("\u00a0", " ").includes(part));
const open = (secret: string) => openLink(world.ports, { shop: world.shop, token: secret });
const token = (secret: string) => writeToken(world.shop, secret);

describe("every page of a customer's or patient's says whom to ask", () => {
  async function enter(secret: string, hasCode = false) {
    const session = await open(secret);
    if (!session) throw new Error("The link let nobody in");
    const viewer = await world.viewerOf(session.secret);
    if (hasCode && viewer) {
      await world.sendCode(viewer);
      await world.checkCode(viewer, world.code());
    }
    const address = token(session.linkId);
    const cookie = `pathway_visit=${session.secret}`;
    return (path: string, method = "GET") =>
      ask(visit as Route, { address, "*": path }, { method, cookie });
  }

  test.each([["form_ready"], ["results_available"]] as const)(
    "behind a link about %s, before and after the code, refused ones included",
    async (kind) => {
      const { resultId, form, report } = await world.deliver();
      const ids = (path: string) =>
        path.startsWith("results")
          ? [resultId, randomUUID()]
          : path.startsWith("documents")
            ? [form, report, randomUUID()]
            : [world.id, randomUUID()];
      let pages = 0;
      for (const hasCode of [false, true]) {
        const look = await enter(await world.mail(kind), hasCode);
        for (const { method, path } of SITE)
          for (const id of ids(path)) {
            const page = await look(path.replace(":id", id), method);
            if (page === null) continue;
            pages++;
            expect(missing(page), `${method} ${path}`).toEqual([]);
          }
        const nowhere = await look("nowhere");
        expect(missing(nowhere ?? ""), "an unknown address").toEqual([]);
      }
      expect(pages).toBeGreaterThan(SITE.length);
    },
  );

  test("before the details are given, with the form and its refusal", async () => {
    const look = await enter(await world.mail("details_needed"));
    for (const path of ["", "data", "agreed", `requests/${world.id}/details`])
      expect(missing((await look(path)) ?? ""), path).toEqual([]);
    const refused = (await look(`requests/${world.id}/details`, "POST")) ?? "";
    expect(missing(refused)).toEqual([]);
  });

  test("when a link has ended, never was, or is a ticket that was used", async () => {
    const used = await world.mail("form_ready");
    const fresh = await world.mail("form_ready");
    await open(fresh);
    const unknown = "x".repeat(43);
    const pages = [
      ...[used, fresh, unknown].flatMap((secret) => [
        ask(mailedLink as Route, { token: token(secret) }),
        ask(mailedLink as Route, { token: token(secret) }, { method: "POST" }),
      ]),
      ask(visit as Route, { address: token(randomUUID()), "*": "" }),
      ask(visit as Route, { address: token(randomUUID()), "*": "" }, { method: "POST" }),
      ask(stop as Route, { token: token(unknown) }),
      ask(stop as Route, { token: token(unknown) }, { method: "POST" }),
      ask(share as Route, { token: token(unknown), "*": "" }),
      ask(share as Route, { token: token(unknown), "*": "" }, { method: "POST" }),
      ask(documentTicket as Route, { ticket: token(unknown) }),
      ask(exportTicket as Route, { ticket: token(unknown) }),
    ];
    // A link that opens leads to another page.
    for (const [index, page] of (await Promise.all(pages)).entries())
      if (page !== null) expect(missing(page), `page ${index}`).toEqual([]);
  });

  test("when the shop has removed the app", async () => {
    const secret = await world.mail("form_ready");
    await db.tenancy.inShop(world.shop, (tenant) => tenant.shops.uninstall(world.clock.now()));
    const page = await ask(mailedLink as Route, { token: token(secret) });
    expect(missing(page ?? "")).toEqual([]);
  });

  test("when one of the shop's own people stops alerts, which looking at the page does not", async () => {
    const kinds = () =>
      db.tenancy.inShop(world.shop, async (tenant) => {
        await tenant.shops.setContactEmail("owner@example.com");
        const settings = { contactEmail: "owner@example.com" };
        return readersOf(settings, await tenant.alerts.recipients())[0]?.kinds;
      });
    expect(await kinds()).toContain("outage");
    const secret = await db.tenancy.inShop(world.shop, async ({ alerts }) =>
      alerts.stopTokenOf("owner@example.com", "outage"),
    );
    const asks = (await ask(stop as Route, { token: token(secret) })) ?? "";
    expect(asks).toContain("Stop emails about outages?");
    // Neither does a program that posts nothing, to see what comes.
    expect(await ask(stop as Route, { token: token(secret) }, { method: "POST" })).toContain(
      "Stop emails about outages?",
    );
    expect(await kinds()).toContain("outage");
    const press = { method: "POST", form: { "List-Unsubscribe": "One-Click" } };
    const stopped = (await ask(stop as Route, { token: token(secret) }, press)) ?? "";
    expect(stopped).toContain("No more emails about outages");
    expect([missing(asks), missing(stopped)]).toEqual([[], []]);
    expect(await kinds()).not.toContain("outage");
    // The link is pressed again, or its reader was taken off the list: nothing is left to be asked.
    const later = "Your address gets no more of these emails.";
    expect(await ask(stop as Route, { token: token(secret) })).toContain(later);
    const gone = await db.tenancy.inShop(world.shop, async ({ alerts }) =>
      alerts.stopTokenOf("gone@example.com", "daily"),
    );
    for (const method of ["GET", "POST"]) {
      const page = (await ask(stop as Route, { token: token(gone) }, { ...press, method })) ?? "";
      expect(page).toContain("No more daily summaries");
      expect(page).toContain(later);
      expect(page).not.toMatch(/reminder/i);
    }
  });

  test.each([[null], [gid("Customer", 7)]])(
    "inside a theme, for customer %s",
    async (customerId) => {
      const call = { shop: world.shop, customerId, prefix: "/apps/pathway" };
      const app = { proxyCall: () => call, proxyFormToken: () => "token" };
      for (const path of ["", "data", "agreed", "nowhere"])
        expect(missing((await ask(proxy as Route, { "*": path }, { app })) ?? ""), path).toEqual(
          [],
        );
    },
  );
});

describe("every mail says whom to ask, in both parts", () => {
  const facts = {
    ...{ to: "pat@example.com", orderName: "#1001", about: null, buyerName: null },
    ...{ news: null, url: null, personal: false, accountUrl: null, contact: null, stopUrl: null },
    help: SHOWN,
  };
  const both = ({ text, html }: { text: string; html: string }) => [missing(text), missing(html)];

  test.each(NOTIFICATION_KINDS.map((kind) => [kind]))("%s", (kind) => {
    expect(both(composeMail(kind, facts))).toEqual([[], []]);
  });

  test("several pieces of news, and a code", () => {
    const item = {
      requestId: "1",
      kind: "form_ready",
      news: null,
      about: null,
      url: null,
    } as const;
    expect(both(composeNews([item, item], facts))).toEqual([[], []]);
    expect(both(composeCodeMail({ to: facts.to, code: "123456", help: SHOWN }))).toEqual([[], []]);
  });
});
