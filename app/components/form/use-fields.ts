import { useCallback, useRef, useState } from "react";
import { useDrawnEffect } from "../document/use-drawn-effect.ts";

type Values = Record<string, string | boolean | string[]>;

export interface Fields<T extends Values> {
  values: T;
  isDirty: boolean;
  /** A change handler for one field. */
  set<K extends keyof T>(name: K): (value: T[K]) => void;
  /** Back to what is saved. */
  reset(): void;
  /** The fields as they were typed, where what is saved changed beneath them and differs; null when there are none. */
  kept: Partial<T> | null;
  /** Puts into the form what was kept, or forgets it. */
  settle(kept: "put_back" | "leave"): void;
  /** Says what becomes of the fields: they go out to be saved, and then they are saved or refused. */
  follow(saving: "sent" | "saved" | "refused"): void;
}

/** A slow computer draws the answer first, and what is saved as much later as reading the page may take. */
const FOLLOWS_MS = 30_000;

/**
 * Keeps a form's fields; they follow what is saved whenever that changes. What somebody types while their save is under way
 * was not in it: it stays, and is unsaved. What they typed before somebody else's save is shown is kept beside it.
 */
export function useFields<T extends Values>(saved: T): Fields<T> {
  const [values, setValues] = useState(saved);
  const [typedMeanwhile, setTypedMeanwhile] = useState<Partial<T> | null>(null);
  const [kept, setKept] = useState<Partial<T> | null>(null);
  const sent = useRef<T | null>(null);
  const latest = useRef(values);
  latest.current = values;
  const savedText = JSON.stringify(saved);
  const shown = useRef(savedText);
  /** The fields as they were sent, where what is saved changed before their answer came. */
  const beneath = useRef<Partial<T> | null>(null);
  /** Until when what is saved may still follow an answer that was seen before it. */
  const followsUntil = useRef(0);
  const reset = useCallback(() => setValues(JSON.parse(savedText)), [savedText]);
  const followSaved = useCallback(() => {
    if (sent.current) setTypedMeanwhile(changes(sent.current, latest.current));
    sent.current = null;
    reset();
  }, [reset]);
  useDrawnEffect(() => {
    const before: T = JSON.parse(shown.current);
    if (shown.current !== savedText) {
      const typed = changes(before, sent.current ?? latest.current);
      const now: T = JSON.parse(savedText);
      const left = changes(now, { ...now, ...typed });
      const found = Object.keys(left).length > 0 ? left : null;
      // Their save may still be what changed it.
      if (sent.current) beneath.current = found;
      else if (performance.now() < followsUntil.current) setTypedMeanwhile(left);
      else setKept(found);
      followsUntil.current = 0;
    }
    shown.current = savedText;
    followSaved();
  }, [followSaved, savedText]);
  // One step after what is saved was shown: whoever looks at the untouched form has seen it in between, and no letter came.
  useDrawnEffect(() => {
    if (!typedMeanwhile) return;
    setValues((before) => ({ ...before, ...typedMeanwhile }));
    setTypedMeanwhile(null);
  }, [typedMeanwhile]);
  return {
    values,
    isDirty: JSON.stringify(values) !== savedText,
    set: (name) => (value) => setValues((before) => ({ ...before, [name]: value })),
    reset,
    kept,
    settle(how) {
      if (how === "put_back") setValues((before) => ({ ...before, ...kept }));
      setKept(null);
    },
    follow(saving) {
      if (saving === "refused" && beneath.current) setKept(beneath.current);
      beneath.current = null;
      if (saving !== "saved") sent.current = saving === "sent" ? values : null;
      // Else it was shown already, with what was typed meanwhile.
      else if (sent.current) {
        followSaved();
        followsUntil.current = performance.now() + FOLLOWS_MS;
      }
    },
  };
}

/** The fields that are different now. */
function changes<T extends Values>(before: T, now: T): Partial<T> {
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
