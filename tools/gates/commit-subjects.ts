import { runCommand } from "./run-command.ts";

/** The last commit before the convention. Its history is left as it is. */
const CONVENTION_SINCE = "dc0940319a";
const MAX_SUBJECT_LENGTH = 72;
const FORMAT =
  /^(Merge |Revert |(feat|fix|refactor|perf|test|docs|build|ci|chore|style)(\([\w-]+\))?!?: \S)/;

/** Returns a sentence for each commit whose subject is too long or not `type(scope): imperative`. */
export async function findBadSubjects(): Promise<string[]> {
  const range = (await exists(CONVENTION_SINCE)) ? `${CONVENTION_SINCE}..HEAD` : "HEAD";
  // A shallow clone may not reach so far back; then only the newest commit is looked at.
  const limit = range === "HEAD" ? ["-1"] : [];
  const log = await runCommand("git", ["log", "--format=%h %s", ...limit, range]);
  if (log.code !== 0) {
    // An unpacked archive has files and no history.
    process.stdout.write("· commit subjects are skipped: this is not a git checkout\n");
    return [];
  }
  return log.output.split("\n").filter(Boolean).flatMap(judge);
}

function judge(line: string): string[] {
  const [hash, ...words] = line.split(" ");
  const subject = words.join(" ");
  if (!FORMAT.test(subject)) return [`${hash} has no type: ${subject}`];
  if (subject.length > MAX_SUBJECT_LENGTH)
    return [`${hash} has ${subject.length} characters, ${MAX_SUBJECT_LENGTH} at most: ${subject}`];
  return [];
}

async function exists(commit: string): Promise<boolean> {
  const { code } = await runCommand("git", ["cat-file", "-e", `${commit}^{commit}`]);
  return code === 0;
}
