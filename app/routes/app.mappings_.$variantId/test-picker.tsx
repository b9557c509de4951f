import { BlockStack, Combobox, Icon, InlineStack, Listbox, Tag, Text } from "@shopify/polaris";
import { SearchIcon } from "@shopify/polaris-icons";
import { useMemo, useState } from "react";
import { dollars } from "../../modules/catalogue/mapping-words.ts";
import type { VariantForm } from "./present-variant.ts";

const SHOWN = 50;

interface Props {
  label: string;
  tests: Pick<VariantForm["tests"][number], "id" | "name" | "shortName" | "priceCents">[];
  selected: string[];
  onChange(ids: string[]): void;
  showPrices?: boolean;
  error?: string;
}

/** Chooses tests of the catalogue by typing a part of their name. What is chosen can be taken out below. */
export function TestPicker({ label, tests, selected, onChange, showPrices = true, error }: Props) {
  const [typed, setTyped] = useState("");
  const byId = useMemo(() => new Map(tests.map((test) => [test.id, test])), [tests]);
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = tests.filter(({ name, shortName }) => {
    const text = `${name} ${shortName}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const toggle = (id: string) => {
    onChange(selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id]);
    setTyped("");
  };
  return (
    <BlockStack gap="200">
      <Combobox
        allowMultiple
        activator={
          <Combobox.TextField
            label={label}
            placeholder="Search tests"
            autoComplete="off"
            prefix={<Icon source={SearchIcon} />}
            value={typed}
            onChange={setTyped}
            error={error}
          />
        }
      >
        {matching.length > 0 ? (
          <Listbox onSelect={toggle}>
            {matching.slice(0, SHOWN).map(({ id, name, shortName, priceCents }) => (
              <Listbox.Option
                key={id}
                value={id}
                selected={selected.includes(id)}
                accessibilityLabel={name}
              >
                <Listbox.TextOption selected={selected.includes(id)}>
                  <InlineStack align="space-between" gap="200" wrap={false}>
                    <Text as="span">
                      {name}
                      {shortName && shortName !== name ? ` (${shortName})` : ""}
                    </Text>
                    {showPrices && (
                      <Text as="span" tone="subdued" numeric>
                        {dollars(priceCents)}
                      </Text>
                    )}
                  </InlineStack>
                </Listbox.TextOption>
              </Listbox.Option>
            ))}
          </Listbox>
        ) : typed ? (
          <Listbox>
            <Listbox.Option value="" disabled>
              <Listbox.TextOption disabled>{`No test matches “${typed}”`}</Listbox.TextOption>
            </Listbox.Option>
          </Listbox>
        ) : null}
      </Combobox>
      {selected.length > 0 && (
        <InlineStack gap="200">
          {selected.map((id) => (
            <Tag key={id} onRemove={() => onChange(selected.filter((one) => one !== id))}>
              {byId.get(id)?.name ?? `Gone: ${id}`}
            </Tag>
          ))}
        </InlineStack>
      )}
    </BlockStack>
  );
}
