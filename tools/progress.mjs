/** Says on standard error what takes time and, on a terminal, that it is still going on. */

/**
 * @template T
 * @param {string} title what is being done, for a person
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const startedAt = Date.now();
  const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(0)} s`;
  const out = process.stderr;
  out.write(`· ${title}${out.isTTY ? "" : "\n"}`);
  const ticker = setInterval(
    () => {
      out.write(out.isTTY ? `\r· ${title} … ${seconds()}` : `  … ${seconds()}\n`);
    },
    out.isTTY ? 1000 : 15_000,
  );
  try {
    const value = await work();
    out.write(out.isTTY ? `\r✓ ${title} (${seconds()})   \n` : `✓ ${title} (${seconds()})\n`);
    return value;
  } finally {
    clearInterval(ticker);
  }
}
