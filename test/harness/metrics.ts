/** One line of Prometheus's text format. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reads Prometheus's text format. Throws at a line that does not belong there. */
export function readMetrics(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    if (line === "" || /^# (HELP|TYPE) /.test(line)) return [];
    const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`No sample: ${line}`);
    const read = [...labels.matchAll(LABEL)].map(([, key, text]) => [key, text]);
    return [{ name, labels: Object.fromEntries(read), value: Number(value) }];
  });
}

/** The value of the one sample of this name that has these labels; undefined when there is none. */
export function sampleOf(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const wanted = Object.entries(labels);
  return samples.find(
    (one) => one.name === name && wanted.every(([key, value]) => one.labels[key] === value),
  )?.value;
}
