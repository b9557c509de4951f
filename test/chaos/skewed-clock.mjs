/**
 * Preloaded into a process of the app (`node --import`): its wall clock is off by so many minutes, as on a machine
 * whose clock is wrong. The monotonic clock goes on as it is.
 */
const isWorker = process.env.PATHWAY_ROLES === "worker";
const isApp = process.argv[1]?.endsWith("app/server.ts");
const minutes = Number(process.env[isWorker ? "SKEW_WORKER_MINUTES" : "SKEW_APP_MINUTES"] ?? 0);

if (isApp && minutes !== 0) {
  const Machine = globalThis.Date;
  const now = () => Machine.now() + minutes * 60_000;
  const Skewed = new Proxy(Machine, {
    construct: (target, values, newTarget) =>
      Reflect.construct(
        target,
        values.length === 0 ? [now()] : values,
        newTarget === Skewed ? target : newTarget,
      ),
    get: (target, key) => (key === "now" ? now : Reflect.get(target, key)),
  });
  globalThis.Date = Skewed;
}
