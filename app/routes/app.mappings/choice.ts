import { useCallback, useEffect, useState } from "react";

export interface Choice {
  /** Numbers of the variants that are ticked. */
  ticked: ReadonlySet<string>;
  /** Everything that matches is meant, beyond this page. */
  isAll: boolean;
  count: number;
  toggle(number: string): void;
  togglePage(): void;
  takeAll(): void;
  clear(): void;
}

/** Keeps the chosen variants of the list. Another list (`key`) begins with none. */
export function useChoice(numbers: string[], total: number, key: string): Choice {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const clear = () => {
    setTicked(new Set());
    setAll(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list's key alone says when it is another one.
  useEffect(clear, [key]);
  // The same at each render: the rows are kept as they are until they change themselves.
  const toggle = useCallback((number: string) => {
    setAll(false);
    setTicked((before) => {
      const after = new Set(before);
      if (!after.delete(number)) after.add(number);
      return after;
    });
  }, []);
  return {
    ticked,
    isAll,
    count: isAll ? total : ticked.size,
    clear,
    toggle,
    togglePage() {
      const isFull = numbers.every((number) => ticked.has(number));
      setAll(false);
      setTicked(new Set(isFull ? [] : numbers));
    },
    takeAll() {
      setTicked(new Set(numbers));
      setAll(true);
    },
  };
}
