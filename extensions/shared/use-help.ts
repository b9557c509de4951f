import { useEffect, useState } from "preact/hooks";
import { useApp } from "./app-context.ts";
import type { Help } from "./customer-api.ts";

/** Whom to ask, and in whose time. Null until it is known, and if it cannot be read: it is no failure of the page. */
export function useHelp(): Help | null {
  const { api } = useApp();
  const [help, setHelp] = useState<Help | null>(null);
  useEffect(() => {
    void api.readHelp().then((outcome) => setHelp(outcome.ok ? outcome.value : null));
  }, [api]);
  return help;
}
