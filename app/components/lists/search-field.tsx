import { Icon, TextField } from "@shopify/polaris";
import { SearchIcon } from "@shopify/polaris-icons";
import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 300;

interface Props {
  label: string;
  placeholder: string;
  /** The search text in the address. */
  value: string;
  isLoading: boolean;
  onSearch(text: string): void;
}

/** A search text as the server reads it, as far as anybody types one. */
const plain = (text: string) => text.trim().replace(/^#/, "");

/**
 * A search that follows the typing after a short pause, and at once on Enter. The answer to a search leaves alone what was typed
 * since; another list's search takes its place.
 */
export function SearchField({ label, placeholder, value, isLoading, onSearch }: Props) {
  const [typed, setTyped] = useState(value);
  const asked = useRef(value);
  const search = (text: string) => {
    asked.current = text;
    onSearch(text);
  };
  useEffect(() => {
    if (plain(asked.current) !== value) setTyped(value);
    asked.current = value;
  }, [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause, not a new handler.
  useEffect(() => {
    // Not what the list shows: an earlier search may be under way, and would be shown above an empty field.
    if (typed === asked.current) return;
    const timer = setTimeout(() => search(typed), PAUSE_MS);
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
      onClearButtonClick={() => {
        setTyped("");
        search("");
      }}
      loading={isLoading && typed !== value}
    />
  );
}
