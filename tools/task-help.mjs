// What `npm run TASK -- --help` says of a task that is no command of its own. Nothing is fetched, built or done for it.
// Plain JavaScript without packages, as run.mjs is.

/** Tasks whose command answers `--help` itself. */
const OF_THEIR_OWN = [
  ...["demo", "service", "store", "chaos", "bench", "deploy"],
  ...["migrate", "keys", "audit", "affected", "documents", "redactions"],
];

const SENTENCES = {
  dev: "starts a process for a development store, with the settings of .env",
  start:
    "starts a process with the settings of .env (docs/settings.md); PATHWAY_ROLES says of which kind",
  build: "builds pages and extensions",
  test: "runs the tests; -- --project NAME FILE runs some (CONTRIBUTING.md)",
  check: "runs the gates, then all tests",
  gates: "runs what every merge has to pass before its tests",
  soak: "runs the tests that take minutes",
  attack: "carries out the attacks of docs/security.md at length",
  gallery: "goes through every page, and judges and keeps its picture",
  listing: "makes the images of docs/listing",
  coverage: "tells how much of each folder of app/ its tests reach",
  mutation: "puts small faults into the core and runs its tests",
  sbom: "lists licences, and fails on one that nobody has looked at",
  "restore-drill": "loses a database and restores it into a new server, as docs/operations.md says",
  "compose-trial":
    "runs compose.yaml with Docker and takes orders through its containers; -- --whole pulls plugs too",
  lint: "looks for mistakes of style",
  format: "writes every file in one style",
  typecheck: "checks all types",
};

/** Whether a task's own command is asked how it is called. */
export const asksForHelp = (args) => args.includes("--help");

/** Says what a task does that does not say it itself; null for the others, and for one that is not there. */
export function helpOf(task) {
  if (OF_THEIR_OWN.includes(task) || !Object.hasOwn(SENTENCES, task)) return null;
  return `npm run ${task}    ${SENTENCES[task]}`;
}
