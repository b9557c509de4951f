import { expect, test } from "vitest";
import { drawElement } from "../../../test/samples/draw-element.tsx";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { presentOutage } from "../../components/feedback/outage-banner.tsx";
import { describeOutage } from "../../modules/lifecycle/connection-words.ts";
import type { WorkHealth } from "../../modules/reports/work-health.ts";
import { HealthCard } from "./health-card.tsx";
import { type HomeView, presentWork } from "./present-home.ts";

const SINCE = "2026-11-20T00:00:00.000Z";
const UNTIL = "2026-11-20T00:17:00.000Z";

/** Renders the card as the server does. */
async function draw(
  now: string,
  pause: HomeView["health"]["pause"],
  clockSkewMinutes = 0,
  work: HomeView["health"]["work"] = null,
  outage: HomeView["health"]["outage"] = null,
  areEventsFailing = false,
): Promise<string> {
  const health: HomeView["health"] = {
    environment: "Staging",
    isConnected: true,
    outage,
    answeredAt: SINCE,
    refusedEvents: null,
    areEventsFailing,
    failure: null,
    lastTestedAt: SINCE,
    lastEventAt: null,
    syncedThrough: null,
    eventsReceived: 0,
    eventsRepaired: 0,
    syncPages: null,
    clockSkewMinutes,
    refused: null,
    unreadableEntries: 0,
    work,
    pause,
  };
  const element = <HealthCard health={health} now={now} />;
  return drawElement(element);
}

test("says since when, why and until when sending is paused", async () => {
  const html = await draw(SINCE, { since: SINCE, until: UNTIL });
  expect(html).toContain(`since <time dateTime="${SINCE}"`);
  expect(html).toContain("a standby took over");
  expect(html).toContain(`after <time dateTime="${UNTIL}"`);
  expect(html).toContain("Paused");
});

test("says that the comparison is under way once its earliest end is over", async () => {
  const html = await draw("2026-11-20T00:18:00.000Z", { since: SINCE, until: UNTIL });
  expect(html).toContain("when the comparison that is under way ends");
});

test("says nothing of a pause while nothing is paused", async () => {
  expect(await draw(SINCE, null)).not.toContain("paused");
});

test("says by how much the server's clock is off, and that orders are not affected", async () => {
  expect(await draw(SINCE, null, -30)).toMatch(/30 minutes\s+slow/);
  expect(await draw(SINCE, null)).not.toContain("clock");
});

const WORKING: WorkHealth = {
  hasWorker: true,
  workerSeenAt: new Date(UNTIL),
  troubles: [],
  clockSkewMs: 0,
  messages: null,
  handedOn: null,
  jobs: null,
  retried: [],
};
/** The card when processes say so of themselves. */
const drawWork = (health: Partial<WorkHealth>) =>
  draw(UNTIL, null, 0, presentWork({ ...WORKING, ...health }));
const since = new Date(SINCE);

test("says nothing of work that moves", async () => {
  const html = await drawWork({});
  expect(html).not.toContain("waits");
  expect(html).toContain("Working");
});

test("says that no worker runs, since when, what waits, and what to do", async () => {
  const html = await drawWork({
    hasWorker: false,
    workerSeenAt: since,
    messages: { count: 2, since },
    jobs: { count: 1001, since },
  });
  expect(html).toContain("no worker of Pathway is running");
  expect(html).toContain(`Since <time dateTime="${SINCE}"`);
  expect(html).toContain("2 messages not read yet");
  expect(html).toContain("1,000+ tasks not begun yet");
  expect(html).toContain("They go on once a worker runs again.");
  expect(html).toContain("Ask whoever runs Pathway to start a worker.");
  expect(html).toContain("Not moving");
});

test("names a loop that fails, hangs or fell silent, with the code of the failure", async () => {
  const loops = ["create-referral", "heartbeat", "relay", "service-sync"];
  const html = await drawWork({
    troubles: [
      { kind: "fails", loops, since, code: "53300" },
      { kind: "hangs", loops: ["relay"], since, code: null },
      { kind: "silent", loops: [], since, code: null },
    ],
  });
  expect(html).toContain("fails: create-referral, heartbeat, relay and others (code 53300)");
  expect(html).toContain("doesn’t move: relay.");
  expect(html).toContain("doesn’t answer");
  expect(html).toContain("Not moving");
});

test("says that work is late though every part moves, and which tasks are tried again", async () => {
  const late = await drawWork({ handedOn: { count: 1, since } });
  expect(late).toContain("takes longer than usual");
  expect(late).toContain("1 task not handed on yet");
  expect(late).toContain("Delayed");
  const retried = await drawWork({
    retried: [{ name: "reconcile-order", code: "unexpected", count: 3, since }],
  });
  expect(retried).toContain("3 tasks of your store failed several times: reconcile-order");
});

test.each([
  ["connection", 60_000, "Degraded", "sent by themselves once it answers"],
  ["timeout", 5 * 60_000, "Not working", "sent by themselves once it answers"],
  ["server", 5 * 60_000, "Not working", "sent by themselves once it answers"],
  ["rate_limited", 60_000, "Degraded", "sent by themselves once it answers"],
  [
    "rate_limited",
    5 * 60_000,
    "Not working",
    "The referral service asked Pathway to slow down. It has been so since",
  ],
  ["unauthorized", 1_000, "Not working", "Enter new credentials"],
])(
  "never says that all works while calls fail (%s for %i ms)",
  async (failure, ms, badge, text) => {
    const failing = { since: new Date(SINCE), code: `referral_service_${failure}` };
    const now = new Date(Date.parse(SINCE) + ms);
    const outage = presentOutage(describeOutage(failing, { now, describeFailure }));
    const html = await draw(now.toISOString(), null, 0, null, outage);
    expect(html).toContain(badge);
    expect(html).toContain(text);
    expect(html).not.toContain(">Working<");
  },
);

test("never says that all works while events are turned away", async () => {
  const html = await draw(SINCE, null, 0, null, null, true);
  expect(html).toContain("Degraded");
  expect(html).not.toContain(">Working<");
});
