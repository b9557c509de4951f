import type { Mail } from "../../kernel/notification.ts";
import type { AlertFacts } from "../../shops/alert.ts";
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
    pageUrl,
    stopUrl,
  }: { to: string; settings: Shop; pageUrl: (path: string) => string; stopUrl: string },
): Mail {
  const { subject, paragraphs, action } = wordsOf(facts, settings);
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

function wordsOf(facts: AlertFacts, { timeZone }: Pick<Shop, "timeZone">): Words {
  const action = { label: "See the connection", path: "/app/settings/connection" };
  const since = momentOf(new Date(facts.since), timeZone);
  if (facts.isOver)
    return {
      subject: "The referral service answers again",
      paragraphs: [
        `The referral service had not answered since ${since}. It answers again. Paid orders that waited go on by themselves. You don’t need to do anything.`,
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
  return {
    subject: "The referral service doesn’t answer",
    paragraphs: [
      `The referral service has not answered since ${since}. Paid orders are stored and sent by themselves once it answers. You don’t need to do anything. If it lasts longer than an hour, ask the service’s support. We will email you when it answers again.`,
    ],
    action,
  };
}

const momentOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat("en-AU", {
    ...{ day: "numeric", month: "short", year: "numeric" },
    ...{ hour: "numeric", minute: "2-digit", timeZoneName: "short", timeZone },
  }).format(at);
