import { Badge, BlockStack, Card, InlineStack, Link, List, Text } from "@shopify/polaris";
import { OutageText } from "../../components/feedback/outage-banner.tsx";
import { Moment } from "../../components/moment/moment.tsx";
import { countOf } from "../../modules/kernel/words.ts";
import { describeMissedEvents } from "../../modules/lifecycle/missed-events-words.ts";
import type { HomeView } from "./present-home.ts";

/** Connection status: work that does not move, the connection's last test, the last event, and what was repaired. */
export function HealthCard({ health, now }: Pick<HomeView, "health" | "now">) {
  const { failure, outage, lastTestedAt, lastEventAt, syncedThrough } = health;
  const { answeredAt, eventsRepaired, syncPages } = health;
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            Connection status
          </Text>
          <HealthBadge health={health} />
        </InlineStack>
        {outage && <OutageText outage={outage} />}
        {health.refusedEvents && (
          <BlockStack gap="100">
            <Text as="p" tone="critical">
              {health.refusedEvents.sentence}
            </Text>
            <Text as="p">{health.refusedEvents.nextStep}</Text>
          </BlockStack>
        )}
        {failure && !outage && (
          <BlockStack gap="100">
            <Text as="p" tone="critical">
              {failure.sentence}
            </Text>
            <Text as="p">{failure.nextStep}</Text>
          </BlockStack>
        )}
        {health.work && <WorkProblems work={health.work} now={now} />}
        {health.unreadableEntries > 0 && (
          <Text as="p">
            {countOf(health.unreadableEntries, "entry", "entries")} of the service’s lists can’t be
            read. <Link url="/app/settings/connection">See which in the settings</Link>
          </Text>
        )}
        {health.refused && (
          <BlockStack gap="100">
            <Text as="p">{health.refused.sentence}</Text>
            <Text as="p" tone="subdued">
              {health.refused.nextStep}
            </Text>
          </BlockStack>
        )}
        {health.pause && <PauseText pause={health.pause} now={now} />}
        {health.clockSkewMinutes !== 0 && (
          <Text as="p">
            The clock of a server of Pathway is{" "}
            {countOf(Math.abs(health.clockSkewMinutes), "minute")}{" "}
            {health.clockSkewMinutes > 0 ? "fast" : "slow"}. Your orders aren’t affected: Pathway
            uses the database’s time. Ask whoever runs Pathway to correct the clock.
          </Text>
        )}
        {health.isConnected && (
          <dl className="pathway-facts pathway-facts-stacked">
            <div>
              <dt>Connection last tested</dt>
              <dd>{lastTestedAt ? <Moment at={lastTestedAt} now={now} /> : "Never"}</dd>
            </div>
            <div>
              <dt>Service last answered</dt>
              <dd>{answeredAt ? <Moment at={answeredAt} now={now} /> : "Not yet"}</dd>
            </div>
            <div>
              <dt>Last event received</dt>
              <dd>{lastEventAt ? <Moment at={lastEventAt} now={now} /> : "None yet"}</dd>
            </div>
            <div>
              <dt>Events received</dt>
              <dd>{new Intl.NumberFormat("en-AU").format(health.eventsReceived)}</dd>
            </div>
            <div>
              <dt>Missed events</dt>
              <dd>{describeMissedEvents(eventsRepaired)}</dd>
            </div>
            {syncPages !== null && syncPages > 0 && (
              <div>
                <dt>Sync under way</dt>
                <dd>{countOf(syncPages, "page")} so far</dd>
              </div>
            )}
            {syncedThrough && (
              <div>
                <dt>Last sync</dt>
                <dd>
                  <Moment at={syncedThrough} now={now} />
                </dd>
              </div>
            )}
          </dl>
        )}
        <Text as="p" tone="subdued">
          New orders go to {health.environment.toLowerCase()}.{" "}
          <Link url="/app/settings/connection">
            {health.isConnected ? "Connection settings" : "Connect now"}
          </Link>
        </Text>
      </BlockStack>
    </Card>
  );
}

function WorkProblems({
  work,
  now,
}: {
  work: NonNullable<HomeView["health"]["work"]>;
  now: string;
}) {
  return (
    <BlockStack gap="300">
      {work.problems.map(({ sentence, since, byItself, nextStep }) => (
        <BlockStack gap="100" key={sentence}>
          <Text as="p" tone={work.isStopped ? "critical" : "caution"}>
            {sentence}{" "}
            {since && (
              <>
                Since <Moment at={since} />.
              </>
            )}
          </Text>
          <Text as="p">{byItself}</Text>
          <Text as="p">{nextStep}</Text>
        </BlockStack>
      ))}
      {work.waiting.length > 0 && (
        <List>
          {work.waiting.map(({ text, since }) => (
            <List.Item key={text}>
              {text}, the oldest from <Moment at={since} now={now} />
            </List.Item>
          ))}
        </List>
      )}
    </BlockStack>
  );
}

function PauseText({
  pause,
  now,
}: {
  pause: NonNullable<HomeView["health"]["pause"]>;
  now: string;
}) {
  return (
    <Text as="p">
      No new referral has been made since <Moment at={pause.since} />. Pathway’s database was
      restored or a standby took over, and the last orders may be missing in it. Pathway compares
      the service’s list first, so that nothing is ordered twice. It goes on by itself{" "}
      {pause.until > now ? (
        <>
          after <Moment at={pause.until} />
        </>
      ) : (
        "when the comparison that is under way ends"
      )}
      . Meanwhile people can buy and give details, and forms and results of referrals that were made
      before still arrive. Products, settings and marks that your staff changed shortly before may
      be as they were: look whether they are right.
    </Text>
  );
}

function HealthBadge({ health }: Pick<HomeView, "health">) {
  if (health.work?.isStopped) return <Badge tone="critical">Not moving</Badge>;
  if (!health.isConnected) return <Badge>Not connected</Badge>;
  if (health.failure || health.outage?.isDown) return <Badge tone="critical">Not working</Badge>;
  if (health.pause) return <Badge tone="attention">Paused</Badge>;
  if (health.outage || health.areEventsFailing) return <Badge tone="attention">Degraded</Badge>;
  if (health.work) return <Badge tone="attention">Delayed</Badge>;
  if (!health.lastTestedAt) return <Badge tone="attention">Not tested</Badge>;
  return <Badge tone="success">Working</Badge>;
}
