import { randomBytes } from "node:crypto";
import { z } from "zod";
import { compose, composeText, docker } from "./containers.ts";

/** The lines that an operator adds to .env for the profiles `monitoring` and `objects`, and shorter pauses after a restore than an operator wants. */
export const PROFILE_SETTINGS = {
  ...{ PATHWAY_DOCUMENTS: "s3", PATHWAY_S3_ENDPOINT: "http://objects:7070" },
  ...{ PATHWAY_S3_BUCKET: "documents", PATHWAY_S3_ACCESS_KEY_ID: "pathway" },
  PATHWAY_S3_SECRET_FILE: "./secrets/s3_secret_access_key",
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://traces:4318",
  PATHWAY_ALERTS_PASSWORD_FILE: "./secrets/alerts_password",
  ...{ PATHWAY_CREATE_TIMEOUT_MS: "20000", PATHWAY_QUARANTINE_MS: "60000" },
  ...{ PATHWAY_SYNC_INTERVAL_MS: "10000", PATHWAY_MAINTENANCE_INTERVAL_MS: "20000" },
};

/** The files that an operator adds to ./secrets for them. */
export const newProfileSecrets = () => ({
  s3_secret_access_key: randomBytes(20).toString("hex"),
  alerts_password: randomBytes(12).toString("hex"),
});

/** Names both profiles to Compose, which leaves alone what belongs to others. */
export const PROFILES = ["monitoring", "objects"].flatMap((name) => ["--profile", name]);
const partsSchema = z.object({
  services: z.record(
    z.string(),
    z.object({ image: z.string(), profiles: z.array(z.string()).default([]) }),
  ),
});

/** Starts the services of the profiles whose images are here, and says which are left out. */
export async function startProfiles(say: (line: string) => void): Promise<void> {
  const text = await composeText(...PROFILES, "config", "--format", "json");
  const { services } = partsSchema.parse(JSON.parse(text));
  const wanted: string[] = [];
  for (const [name, { image, profiles }] of Object.entries(services)) {
    if (profiles.length === 0) continue;
    const isHere = await docker("image", "inspect", image).then(
      () => true,
      () => false,
    );
    if (isHere) wanted.push(name);
    else say(`${name} is not tried: ${image} is not here`);
  }
  await compose(...PROFILES, "up", "-d", ...wanted);
}
