/**
 * Writes docs/settings.md from the settings' schema (app/platform/env.ts) and their words.
 * `node tools/settings-reference.ts`; a test holds the page to the schema.
 */
import { writeFileSync } from "node:fs";
import { defaultSettings, SETTINGS } from "../app/platform/env.ts";
import { SETTINGS_WORDS } from "../app/platform/settings-words.ts";

const HEAD = `# Settings

Written by \`node tools/settings-reference.ts\` from the schema that a process reads at its start. From the environment or a
\`.env\` file; [.env.example](../.env.example) is a start. Each setting may be given as a file: \`NAME_FILE=/path\` stands for the
file's text. Use that for secrets.

| Setting | Default | |
|---|---|---|
`;

export function settingsPage(): string {
  const defaults = defaultSettings();
  const rows = SETTINGS.map((name) => {
    const value = defaults[name];
    const shown =
      value === undefined ? "" : `\`${Array.isArray(value) ? value.join(",") : value}\``;
    return `| \`${name}\` | ${shown} | ${SETTINGS_WORDS[name]} |`;
  });
  return `${HEAD}${rows.join("\n")}\n`;
}

if (import.meta.main)
  writeFileSync(new URL("../docs/settings.md", import.meta.url), settingsPage());
