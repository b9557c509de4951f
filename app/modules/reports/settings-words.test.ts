import { expect, test } from "vitest";
import { describeSettings } from "./settings-words.ts";

const STANDING: Parameters<typeof describeSettings>[0] = {
  policies: {
    environment: "staging",
    holdOrders: false,
    holdHighRisk: true,
    strictMode: false,
    minimumAge: 18,
    releasePolicy: "hold_critical",
    reviewer: null,
    clinicalContact: null,
    help: { email: null, phone: null, hours: null },
    collectionFinder: null,
    releaseAfterHours: 12,
    emailByService: false,
    markFulfilled: false,
    tagOrders: true,
    startFlows: false,
    refundPolicy: "automatic",
  },
  connections: [
    {
      environment: "staging",
      connection: {
        failure: null,
        isFailing: false,
        isRefused: false,
        isUnreadable: false,
        isUnreachable: false,
        areEventsFailing: false,
      },
    },
    { environment: "production", connection: null },
  ],
  acceptedTexts: null,
  reminders: { reminderDays: "2, 5", detailsEndDays: "21" },
  notice: { recipient: "Example Pathology", overseas: "unanswered", complaints: "" },
  retentionMonths: 84,
  alerts: { sentence: "Outages are emailed to owner@example.com.", isMissing: false },
  missingScopes: { tagOrders: ["write_orders"], markFulfilled: [] },
  accountPageUrl: null,
  missedOrders: null,
  members: [],
};
const entry = (title: string, change: Partial<typeof STANDING> = {}) => {
  const found = describeSettings({ ...STANDING, ...change }).find((one) => one.title === title);
  return { state: found?.state.join(" "), isOpen: found?.isOpen };
};

test("says of each page how it stands, and what is left to do", () => {
  expect(entry("Connection")).toEqual({
    state: "Staging is connected. Production is not connected. New orders go to staging.",
    isOpen: false,
  });
  expect(entry("Results and release")).toEqual({
    state: "No reviewer is named, so nothing is held. The clinical texts are not accepted yet.",
    isOpen: true,
  });
  expect(entry("Privacy")).toEqual({
    state: "Data is kept for 7 years. The collection notice has 2 open questions.",
    isOpen: true,
  });
  expect(entry("Store").state).toContain("Shopify doesn’t let Pathway tag orders.");
  const alerts = { sentence: "Nobody is emailed about outages.", isMissing: true };
  expect(entry("Notifications")).toMatchObject({ isOpen: false });
  expect(entry("Notifications", { alerts })).toEqual({
    state: expect.stringContaining("Nobody is emailed about outages."),
    isOpen: true,
  });
});

test("never calls a connection that does not answer connected", () => {
  const connections = (found: {
    failure: unknown;
    isFailing: boolean;
    isRefused?: true;
    isUnreachable?: true;
    areEventsFailing?: true;
  }) => ({
    connections: [
      {
        environment: "staging" as const,
        connection: {
          ...{ isRefused: false, isUnreadable: false, isUnreachable: false },
          ...{ areEventsFailing: false, ...found },
        },
      },
    ],
  });
  expect(entry("Connection", connections({ failure: null, isFailing: true }))).toMatchObject({
    state: expect.stringContaining("Staging takes no calls at the moment."),
    isOpen: true,
  });
  const refused = { failure: null, isFailing: true, isRefused: true } as const;
  expect(entry("Connection", connections(refused))).toMatchObject({
    state: expect.stringContaining("Staging refuses your credentials."),
  });
  const here = { failure: null, isFailing: true, isUnreachable: true } as const;
  expect(entry("Connection", connections(here)).state).toContain(
    "Staging can’t be reached from the server that Pathway runs on.",
  );
  const unbelieved = { failure: null, isFailing: false, areEventsFailing: true } as const;
  expect(entry("Connection", connections(unbelieved))).toMatchObject({
    state: expect.stringContaining(
      "Staging is connected, and its events have the wrong signature.",
    ),
    isOpen: true,
  });
  expect(entry("Connection", connections({ failure: {}, isFailing: false }))).toMatchObject({
    state: expect.stringContaining("Staging failed its last test."),
    isOpen: true,
  });
});

test("says that orders are left alone, and nothing of the product pages, which have their tests' details", () => {
  const policies = { ...STANDING.policies, tagOrders: false };
  expect(entry("Store", { policies }).state).toContain("Orders are left as they are in Shopify.");
});
