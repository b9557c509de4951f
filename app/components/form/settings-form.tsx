import { Banner, type BannerHandles, BlockStack, Button, Text } from "@shopify/polaris";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { StaffRight } from "../../modules/shops/staff-role.ts";
import { useDrawnEffect } from "../document/use-drawn-effect.ts";
import { useMay } from "../document/use-may.ts";
import type { FormAnswer } from "./form-answer.ts";
import { KeptChanges } from "./kept-changes.tsx";
import type { useFields } from "./use-fields.ts";
import { useMeanwhile } from "./use-meanwhile.ts";
import { type SavedForm, useSavedForm } from "./use-saved-form.ts";

type SettingsFormState<T extends Parameters<typeof useFields>[0]> = SavedForm<T> & {
  /** Changes whenever what is saved does. */
  saved: string;
};

/** Keeps a form of settings. */
export function useSettingsForm<T extends Parameters<typeof useFields>[0]>(
  name: string,
  saved: T,
): SettingsFormState<T> {
  return { ...useSavedForm(name, saved), saved: JSON.stringify(saved) };
}

/**
 * A form of settings. It is saved field by field: with it goes what it would have sent when it was opened. What was not
 * saved stands at its top, and is focused.
 */
export function SettingsForm<T extends Parameters<typeof useFields>[0]>({
  state,
  intent,
  right = "change_policies",
  children,
}: {
  state: SettingsFormState<T>;
  intent: string;
  /** Who does not have it reads the form, and changes nothing. */
  right?: StaffRight;
  children: ReactNode;
}) {
  const { fetcher, form, fields, onSubmit, answer, saved } = state;
  const seen = useSeen(form, fields.isDirty, saved);
  const isReadOnly = !useMay()(right);
  const isIdle = fetcher.state === "idle";
  const refused = isIdle ? answer?.errors : undefined;
  const { meanwhile, isTold, kept } = useMeanwhile(fields, { answer, isIdle });
  return (
    <fetcher.Form method="post" ref={form} onSubmit={onSubmit} noValidate>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="seen" value={seen} />
      <BlockStack gap="400">
        {refused && answer && !isTold && !refused.unanswered && (
          // A banner for each answer: a second refusal is focused again.
          <NotSaved key={answerKey(answer)} errors={refused} form={form} />
        )}
        <KeptChanges fields={kept} refused={meanwhile} />
        <fieldset className="pathway-fields" disabled={isReadOnly}>
          {children}
        </fieldset>
      </BlockStack>
    </fetcher.Form>
  );
}

/** What the form would send as the page was opened: what is left so is not saved, whatever others saved meanwhile. */
function useSeen(form: RefObject<HTMLFormElement>, isDirty: boolean, saved: string): string {
  const [seen, setSeen] = useState("");
  // A change of what is saved changes what the form shows.
  useDrawnEffect(() => {
    if (isDirty || !form.current) return;
    const fields = [...new FormData(form.current)].filter(([name]) => name !== "seen");
    setSeen(JSON.stringify(Object.fromEntries(fields)));
  }, [form, isDirty, saved]);
  return seen;
}

const keys = new WeakMap<FormAnswer, number>();
let answers = 0;
function answerKey(answer: FormAnswer): number {
  const known = keys.get(answer) ?? ++answers;
  keys.set(answer, known);
  return known;
}

function NotSaved({
  errors,
  form,
}: {
  errors: Record<string, string>;
  form: RefObject<HTMLFormElement>;
}) {
  const banner = useRef<BannerHandles>(null);
  useEffect(() => banner.current?.focus(), []);
  const { changedMeanwhile, role, ...faults } = errors;
  const goTo = (name: string) => {
    const found = form.current?.elements.namedItem(name);
    const field = found instanceof RadioNodeList ? found[0] : found;
    if (field instanceof HTMLElement) field.focus();
  };
  return (
    <Banner ref={banner} tone="critical" title="Nothing was saved">
      <BlockStack gap="200" inlineAlign="start">
        {role && <Text as="p">{role}</Text>}
        {changedMeanwhile && (
          <Text as="p">{changedMeanwhile} The form shows what is saved now.</Text>
        )}
        {Object.entries(faults).map(([name, sentence]) => (
          <Button key={name} variant="plain" textAlign="left" onClick={() => goTo(name)}>
            {sentence}
          </Button>
        ))}
      </BlockStack>
    </Banner>
  );
}
