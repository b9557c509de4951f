import type { ConsoleDependencies } from "../console/dependencies.ts";
import type { Route } from "../http/router.ts";
import type { Referral } from "../referrals/referral.ts";
import { table } from "./fields.ts";
import { type Html, html } from "./html.ts";
import { organisationOf, pageRoutes } from "./page-route.ts";
import { statusBadge } from "./status-badge.ts";

const pageSize = 25;

function row(referral: Referral): Html {
  const { document } = referral;
  const tests = document.productName ?? `${document.tests.length} tests`;
  return html`<tr><td><a href="/referrals/${referral.uuid}">${document.reference}</a></td><td>${referral.referenceNumber}</td><td>${statusBadge(referral.status)}${referral.deletedAtMs !== null && html` <span class="badge bad">deleted</span>`}</td><td>${document.medicare ? "Medicare" : "Commercial"}</td><td>${tests}</td><td>${new Date(referral.createdAtMs).toISOString().replace("T", " ").slice(0, 19)}</td></tr>`;
}

/** Referrals, newest first, by keyset. */
export function referralListPage(dependencies: ConsoleDependencies): Route[] {
  const { referrals } = dependencies.core.stores;
  return pageRoutes(dependencies, {
    path: "/referrals",
    section: "/referrals",
    needsOrganisation: true,
    show: (visit) => {
      const before = /^\d{1,15}$/.test(visit.query.get("before") ?? "")
        ? Number(visit.query.get("before"))
        : null;
      const page = referrals.page(organisationOf(visit).id, {
        sort: "desc",
        count: pageSize,
        afterSeq: before,
      });
      const older =
        page.entries.length === pageSize &&
        html`<p><a href="/referrals?before=${page.lastSeq}">Older referrals</a></p>`;
      return {
        title: "Referrals",
        lead: "Open a referral to send results, complete its verification or put it into another state.",
        body: html`<section class="card">${
          page.entries.length > 0
            ? table(
                "Newest first",
                ["Reference", "Your reference", "Status", "Kind", "Tests", "Created (UTC)"],
                page.entries.map(row),
              )
            : html`<p>No referrals here. They appear once one is created through the API.</p>`
        }${older}</section>`,
      };
    },
  });
}
