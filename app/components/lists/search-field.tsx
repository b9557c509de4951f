import { Icon, TextField } from "@shopify/polaris";
import { SearchIcon } from "@shopify/polaris-icons";
import { useEffect, useState } from "react";

const PAUSE_MS = 300;

interface Props {
  label: string;
  placeholder: string;
  /** The search text in the address. */
  value: string;
  isLoading: boolean;
  onSearch(text: string): void;
}

/** A search that follows the typing after a short pause, and at once on Enter. */
export function SearchField({ label, placeholder, value, isLoading, onSearch }: Props) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause, not a new handler.
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onSearch(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextField
      type="search"
      label={label}
      labelHidden
      placeholder={placeholder}
      autoComplete="off"
      prefix={<Icon source={SearchIcon} />}
      value={typed}
      onChange={setTyped}
      clearButton
      onClearButtonClick={() => onSearch("")}
      loading={isLoading && typed !== value}
    />
  );
}
