import type { Catalogue } from "./catalogue.ts";
import type { Bundle, CatalogueTest } from "./entries.ts";

/** A test on the wire (interface §2.4). */
export interface TestView {
  id: string;
  name: string;
  shortName: string;
  price: number;
  object: "test";
  turnAroundTimeAverage: { maximumDays: number; minimumDays: number; object: "turnaroundTime" };
  turnAroundTimes: {
    maximumDays: number | null;
    minimumDays: number | null;
    providerId: string;
    providerName: string;
    object: "providerTurnaroundTime";
  }[];
}

function average(values: (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return Math.round(known.reduce((sum, value) => sum + value, 0) / known.length);
}

/** The wire form of a test; the average is over the providers that name their days. */
export function viewTest(catalogue: Catalogue, test: CatalogueTest): TestView {
  const times = Object.entries(test.turnaroundDays);
  return {
    id: test.id,
    name: test.name,
    shortName: test.shortName,
    price: test.priceCents,
    object: "test",
    turnAroundTimeAverage: {
      maximumDays: average(times.map(([, [, maximum]]) => maximum)),
      minimumDays: average(times.map(([, [minimum]]) => minimum)),
      object: "turnaroundTime",
    },
    turnAroundTimes: times.map(([providerId, [minimumDays, maximumDays]]) => ({
      maximumDays,
      minimumDays,
      providerId,
      providerName: catalogue.providers.get(providerId)?.name ?? providerId,
      object: "providerTurnaroundTime",
    })),
  };
}

/** A bundle on the wire (interface §2.5). */
export interface BundleView {
  id: string;
  name: string;
  object: "bundle";
  tests: { id: string; name: string; object: "test" }[];
  createdAt: string;
}

/** The wire form of a bundle. */
export function viewBundle(catalogue: Catalogue, bundle: Bundle): BundleView {
  return {
    id: bundle.id,
    name: bundle.name,
    object: "bundle",
    tests: bundle.tests.map((id) => ({
      id,
      name: catalogue.tests.get(id)?.name ?? id,
      object: "test",
    })),
    createdAt: bundle.createdAt,
  };
}
