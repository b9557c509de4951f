type Readings = readonly (() => Promise<unknown>)[];

/**
 * Asks a transaction for several things at once, so that they are one journey to the database. Prisma sends what is asked for
 * at one moment one after the other, so each is asked for at a moment of its own. For what reads: of a write it is not promised
 * which comes first.
 */
export function together<const Asked extends Readings>(
  ...readings: Asked
): Promise<{ -readonly [Nth in keyof Asked]: Awaited<ReturnType<Asked[Nth]>> }> {
  const begun = readings.map(async (read, nth) => {
    for (let passed = 0; passed < nth; passed++) await nextMoment();
    return read();
  });
  return Promise.all(begun) as Promise<never>;
}

/** After what was asked for so far was handed on: Prisma does that before the next turn of the event loop. */
const nextMoment = () => new Promise<void>((resolve) => process.nextTick(resolve));
