import { z } from "zod";
import type { Sealer } from "../../../platform/encryption/sealer.ts";

/** A signing secret that was replaced, and until when it counts all the same. */
interface FormerSecret {
  secret: string;
  until: Date;
}

/** Each costs a signature with every event that is not genuine. */
const MAX_FORMER = 20;

const stored = z.array(z.object({ secret: z.string(), until: z.coerce.date() }));

/** How the text of several begins. */
const LIST = '[{"secret":';

const place = (environment: string) => ({
  ...{ table: "connections", column: "previous_signing_secret", row: environment },
});

/**
 * Seals former secrets for the one column that has them. One alone is kept as it was typed, and ends when the last of them does: so
 * the version before, which runs beside this one during a rollout, counts it too (docs/decisions/0148).
 */
export function sealFormer(
  sealer: Sealer,
  environment: string,
  former: readonly [FormerSecret, ...FormerSecret[]],
) {
  const [first, ...others] = former;
  const isAlone = others.length === 0 && !first.secret.startsWith(LIST);
  const text = isAlone ? first.secret : JSON.stringify(former);
  return sealer.seal(place(environment), text);
}

/** Opens those that count at a moment. `until`: when the last of them ends. */
export function openFormer(
  sealer: Sealer,
  environment: string,
  { sealed, until, at }: { sealed: Uint8Array | null; until: Date | null; at: Date },
): FormerSecret[] {
  if (!sealed || !until || until <= at) return [];
  const text = sealer.open(place(environment), sealed).toString("utf8");
  // One alone stands there as it was typed.
  if (!text.startsWith(LIST)) return [{ secret: text, until }];
  return stored.parse(JSON.parse(text)).filter((one) => one.until > at);
}

/**
 * Adds the secret that a new one takes the place of, oldest first. A secret that stands there keeps its own end: it may be the one
 * that events are signed with, and this one mistyped. That is why the oldest stays when there are too many.
 */
export function withFormer(
  former: readonly FormerSecret[],
  replaced: FormerSecret,
  current: string,
): [FormerSecret, ...FormerSecret[]] {
  const others = former.filter(({ secret }) => secret !== replaced.secret && secret !== current);
  const [first, ...later] = others;
  if (!first) return [replaced];
  return [first, ...later.slice(2 - MAX_FORMER), replaced];
}
