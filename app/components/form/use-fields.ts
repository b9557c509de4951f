import { useCallback, useEffect, useState } from "react";

type Values = Record<string, string | boolean | string[]>;

export interface Fields<T extends Values> {
  values: T;
  isDirty: boolean;
  /** A change handler for one field. */
  set<K extends keyof T>(name: K): (value: T[K]) => void;
  /** Back to what is saved. */
  reset(): void;
}

/** Keeps a form's fields; they follow what is saved whenever that changes. */
export function useFields<T extends Values>(saved: T): Fields<T> {
  const [values, setValues] = useState(saved);
  const savedText = JSON.stringify(saved);
  const reset = useCallback(() => setValues(JSON.parse(savedText)), [savedText]);
  useEffect(reset, [reset]);
  return {
    values,
    isDirty: JSON.stringify(values) !== savedText,
    set: (name) => (value) => setValues((before) => ({ ...before, [name]: value })),
    reset,
  };
}
