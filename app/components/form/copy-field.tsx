import { TextField } from "@shopify/polaris";
import { CopyButton } from "./copy-button.tsx";

interface Props {
  id: string;
  label: string;
  value: string;
  /** The copied thing, as a sentence names it: "the webhook address". */
  what: string;
  helpText?: string;
}

/** Shows a text that is needed elsewhere, with a button that copies it. */
export function CopyField({ id, label, value, what, helpText }: Props) {
  const select = () => {
    const field = document.getElementById(id);
    if (field instanceof HTMLInputElement) field.select();
  };
  return (
    <TextField
      id={id}
      label={label}
      value={value}
      readOnly
      selectTextOnFocus
      autoComplete="off"
      connectedRight={<CopyButton text={value} what={what} onRefused={select} />}
      helpText={helpText}
    />
  );
}
