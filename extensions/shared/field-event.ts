/** Returns the value of the element that sent an event; empty when it holds no text. */
export function typedValue({ currentTarget }: Event): string {
  if (currentTarget === null || !("value" in currentTarget)) return "";
  return typeof currentTarget.value === "string" ? currentTarget.value : "";
}

/** Whether the checkbox that sent an event is ticked. */
export const isTicked = ({ currentTarget }: Event): boolean =>
  currentTarget !== null && "checked" in currentTarget && currentTarget.checked === true;
