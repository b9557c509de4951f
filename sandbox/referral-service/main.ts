import { readOptions, type ServiceOptions, usage } from "./options.ts";
import { startService } from "./server.ts";

/** Longest time between SIGTERM and the end of the process. */
const stopDeadlineMs = 4500;

function optionsOrExit(): ServiceOptions {
  if (process.argv.includes("--help")) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(usage);
    process.exit(2);
  }
}

const options = optionsOrExit();
try {
  const service = await startService(options);
  const { addresses, seed } = service;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      setTimeout(() => process.exit(1), stopDeadlineMs).unref();
      void service.stop().then(() => process.exit(0));
    });
  }
  const ready = {
    environment: options.environment,
    base_url: addresses.baseUrl,
    auth_url: addresses.authUrl,
    app_url: addresses.appUrl,
    client_id: seed.clientId,
    client_secret: seed.clientSecret,
    console_token: seed.consoleToken,
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  const hint = reason.includes("locked") ? " (another server uses this data folder)" : "";
  console.error(`The service could not start: ${reason}${hint}`);
  process.exit(1);
}
