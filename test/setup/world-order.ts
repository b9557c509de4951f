import { readFile } from "node:fs/promises";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that need the processors come first; those that wait for whole worlds are spread over the rest. */
const PROJECTS = [
  "app",
  "extensions",
  "sandbox",
  "browser",
  "flows",
  "processes",
  "chaos",
  "drills",
];

/** How a file comes by its world, in the order in which a process runs them. */
const KINDS = [/\b(shareWorld\(\)|openBrowserFixture\()/, /\bshareWorld\(QUICK_WORLD\)/];

/**
 * The files that take longest, longest first (npm test, two cores). A file that is begun last and goes on alone leaves
 * the other processes idle; without this list they would be found by their size, which says little.
 */
const LONGEST = [
  ...["walk", "mapping", "admin-orders", "admin-order-page", "journey", "not-yours"].map(
    (name) => `test/browser/${name}.test.ts`,
  ),
  ...["needs-attention", "strangers", "is-it-moving", "secrecy", "traces", "takeover"].map(
    (name) => `test/flows/${name}.test.ts`,
  ),
  ...[
    "several-webs",
    "disorder",
    "survival",
    "life-after-creation",
    "service-trouble",
    "going-live",
    "kinds-of-orders",
  ].map((name) => `test/flows/${name}.test.ts`),
  "app/platform/database/start-limits.test.ts",
  "app/least-privilege.test.ts",
  "app/modules/reports/postgres/overview/overview.test.ts",
  "app/modules/referrals/check-standing.test.ts",
  "app/platform/encryption/key-life.test.ts",
  "app/queue/job-runner.test.ts",
  "sandbox/store/web/admin/embedding.browser.test.ts",
  "sandbox/store/web/client/extension-host/hosting.browser.test.ts",
  "sandbox/referral-service/main.test.ts",
];

/** PATHWAY_TEST_ORDER=reversed: files of the same kind run the other way round, and none may notice. */
const DIRECTION = process.env.PATHWAY_TEST_ORDER === "reversed" ? -1 : 1;

/**
 * Projects one after the other, since a process serves one alone. Within a project, files with a world of their own come
 * first, then those that share one, those of the same world together. So no world waits idle for its next file, which
 * takes an eighth of a core.
 */
export class WorldOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const ranked = await Promise.all(
      sorted.map(async (file, index) => ({
        file,
        ranks: [
          file.project.config.sequence.groupOrder,
          PROJECTS.indexOf(file.project.name),
          kindOf(await readFile(file.moduleId, "utf8")),
          DIRECTION * lengthOf(file.moduleId),
          DIRECTION * index,
        ],
      })),
    );
    return ranked.toSorted((a, b) => compare(a.ranks, b.ranks)).map(({ file }) => file);
  }
}

const kindOf = (text: string) => 1 + KINDS.findIndex((kind) => kind.test(text));

/** Its place among the longest; all others stand together behind them. */
function lengthOf(path: string): number {
  const place = LONGEST.findIndex((name) => path.endsWith(`/${name}`));
  return place === -1 ? LONGEST.length : place;
}

/** Compares by the first rank that differs. */
function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, index) => rank !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
