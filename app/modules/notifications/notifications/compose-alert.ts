import { zoneNameAt } from "../../../platform/date-formats.ts";
import type { Mail } from "../../kernel/notification.ts";
import { describeRefused, describeRefusedEvents } from "../../kernel/refusal-words.ts";
import { countOf } from "../../kernel/words.ts";
import { type AlertFacts, MAX_COUNTED } from "../../shops/alert-facts.ts";
import { STOP_ALERT } from "../../shops/alert-words.ts";
import { helpOf } from "../../shops/customer-help.ts";
import { layOutEmail } from "../../shops/lay-out-email.ts";
import type { Shop } from "../../shops/shop.ts";

interface Words {
  subject: string;
  paragraphs: string[];
  action: { label: string; path: string };
}

/** Writes the email of an alert. It says nothing of patients, products or results. */
export function composeAlert(
  facts: AlertFacts,
  {
    to,
    settings,
    orderName,
    pageUrl,
    stopUrl,
  }: {
    to: string;
    settings: Shop;
    /** The order that the alert is about; empty when it is about none. */
    orderName: string;
    pageUrl: (path: string) => string;
    stopUrl: string;
  },
): Mail {
  const { subject, paragraphs, action } = wordsOf(facts, { ...settings, orderName });
  return layOutEmail({
    ...{ to, subject, paragraphs, about: null },
    action: { label: action.label, url: pageUrl(action.path) },
    afterwards: [
      "The link opens Pathway in your Shopify admin. Managers choose who gets which emails in Settings, Notifications.",
    ],
    help: helpOf(settings),
    stop: { label: STOP_ALERT[facts.kind], url: stopUrl },
  });
}

function wordsOf(
  facts: AlertFacts,
  settings: Pick<Shop, "timeZone"> & { orderName: string },
): Words {
  switch (facts.kind) {
    case "outage":
      return wordsOfOutage(facts, settings);
    case "attention":
      return wordsOfAttention(facts);
    case "critical_held":
      return wordsOfHeld(settings.orderName);
    case "webhooks":
      return wordsOfWebhooks(facts);
    case "daily":
      return wordsOfDay(facts);
  }
}

type Facts<Kind extends AlertFacts["kind"]> = Extract<AlertFacts, { kind: Kind }>;

function wordsOfOutage(facts: Facts<"outage">, { timeZone }: Pick<Shop, "timeZone">): Words {
  const action = { label: "See the connection", path: "/app/settings/connection" };
  const since = momentOf(new Date(facts.since), timeZone);
  if (facts.isOver)
    return {
      subject: "The referral service answers again",
      paragraphs: [
        `Calls to the referral service failed from ${since} on. It answers them again. Paid orders that waited go on by themselves. You don’t need to do anything.`,
      ],
      action,
    };
  if (facts.isRefused)
    return {
      subject: "The referral service doesn’t accept your credentials",
      paragraphs: [
        `The referral service has refused your credentials since ${since}. Paid orders are stored and wait. Enter new credentials in the settings, then test the connection. We will email you when it answers again.`,
      ],
      action,
    };
  if (facts.isUnreadable)
    return {
      subject: "Pathway can’t read your credentials for the referral service",
      paragraphs: [
        `Pathway has not been able to read the credentials that are stored for your connection since ${since}. Paid orders are stored and wait, and no news of your tests arrives. Enter the client ID and the client secret again in the settings, and save them. If they can’t be saved, contact whoever runs Pathway. We will email you when the connection works again.`,
      ],
      action,
    };
  if (facts.isUnreachable)
    return {
      subject: "Pathway can’t reach the referral service",
      paragraphs: [
        `The referral service has not been reachable from the server that Pathway runs on since ${since}. Paid orders are stored and sent by themselves once it is. You don’t need to do anything. Pathway’s operator has been told. We will email you when it answers again.`,
      ],
      action,
    };
  return {
    subject: "The referral service takes no orders at the moment",
    paragraphs: [
      `The referral service has not answered since ${since}, or has asked Pathway to wait. Paid orders are stored and sent by themselves once it takes them. You don’t need to do anything. If it lasts longer than an hour, ask the service’s support. We will email you when it answers again.`,
    ],
    action,
  };
}

function wordsOfAttention({ orders, count, broken }: Facts<"attention">): Words {
  if (broken)
    return {
      subject: `${countOf(broken.products, "product variant")} can’t be ordered as mapped`,
      paragraphs: [
        "The referral service doesn’t offer any more what products on sale in your shop are mapped to, or refuses the practitioner. An order of them would be refused, and need your attention.",
        "Map them again, or take them off sale, before somebody buys them.",
      ],
      action: { label: "See the products", path: "/app/mappings?state=broken" },
    };
  const rest = count - orders.length;
  const list =
    rest > 0 ? `${orders.join(", ")} and ${countOf(rest, "more", "more")}` : orders.join(", ");
  const needs = count === 1 ? "needs" : "need";
  return {
    subject: `${countOf(count, "order")} ${needs} your attention`,
    paragraphs: [
      `${count === 1 ? "This order" : "These orders"} came to need somebody since the last email: ${list}.`,
      "Pathway shows for each order why, and what you can do.",
    ],
    action: { label: "Open Needs attention", path: "/app/attention" },
  };
}

const wordsOfHeld = (orderName: string): Words => ({
  subject: `A result needs review today (${orderName})`,
  paragraphs: [
    `A result of order ${orderName} can’t wait. Its reviewer has been emailed. Please make sure that somebody reads and releases it today.`,
  ],
  action: { label: "See results to review", path: "/app/reviews" },
});

function wordsOfWebhooks({ events, messages }: Facts<"webhooks">): Words {
  const words = [describeRefusedEvents(events), describeRefused(messages)];
  return {
    subject: "Webhooks are failing",
    paragraphs: words.flatMap((one) => (one ? [one.sentence, one.nextStep] : [])),
    action: { label: "See the connection", path: "/app/settings/connection" },
  };
}

function wordsOfDay(facts: Facts<"daily">): Words {
  const { day, orders, forms, results, reports, awaitingDetails, attention } = facts;
  const name = dayOf(day);
  return {
    subject: `Your tests on ${name}`,
    paragraphs: [
      `${name}:`,
      `${countOf(orders, "paid order")} with tests`,
      `${countOf(forms, "referral form")} issued`,
      ...(results === undefined ? [] : [`${countOf(results, "result")} received`]),
      `${countOf(reports, "result report")} received as PDF`,
      "This morning:",
      `${waiting(awaitingDetails)} for patient details`,
      `${bounded(attention)} ${attention === 1 ? "order needs" : "orders need"} your attention`,
    ],
    action: { label: "Open Pathway", path: "/app" },
  };
}

const waiting = (count: number): string =>
  `${bounded(count)} ${count === 1 ? "order waits" : "orders wait"}`;

const bounded = (count: number): string =>
  count > MAX_COUNTED ? `More than ${MAX_COUNTED.toLocaleString("en-AU")}` : String(count);

/** "Tue 24 Nov 2026" */
const dayOf = (day: string): string =>
  new Intl.DateTimeFormat("en-AU", {
    ...{ weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" },
  })
    .format(new Date(`${day}T00:00:00Z`))
    .replace(",", "");

const momentOf = (at: Date, timeZone: string): string =>
  `${new Intl.DateTimeFormat("en-AU", {
    ...{ day: "numeric", month: "short", year: "numeric" },
    ...{ hour: "numeric", minute: "2-digit", timeZone },
  }).format(at)} ${zoneNameAt(at, timeZone)}`;
