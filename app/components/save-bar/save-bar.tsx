import {
  createContext,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useState,
} from "react";
import { appBridge } from "../document/app-bridge.ts";
import { SAVE_BAR_GONE } from "../document/save-bar-gone.ts";

export interface UnsavedForm {
  isSaving: boolean;
  save(): void;
  discard(): void;
}

export type ReportUnsaved = (id: string, form: UnsavedForm | null) => void;
export const SaveBarContext = createContext<ReportUnsaved>(() => {});

/** The admin's save bar for all forms of one page: shown while any of them has unsaved changes. */
export function SaveBarProvider({ children }: { children: ReactNode }) {
  const [forms, setForms] = useState<ReadonlyMap<string, UnsavedForm>>(new Map());
  const report = useCallback<ReportUnsaved>((id, form) => {
    setForms((before) => {
      if (!form && !before.has(id)) return before;
      const after = new Map(before);
      if (form) after.set(id, form);
      else after.delete(id);
      return after;
    });
  }, []);
  const id = useId();
  const isUnsaved = forms.size > 0;
  useEffect(() => {
    if (!isUnsaved) return;
    const bar = appBridge()?.saveBar;
    void bar?.show(id);
    return () => {
      // A bar that left the page with its element is hidden already.
      if (document.getElementById(id)) void bar?.hide(id);
      window.dispatchEvent(new Event(SAVE_BAR_GONE));
    };
  }, [isUnsaved, id]);
  const all = useMemo(() => [...forms.values()], [forms]);
  const isSaving = all.some((form) => form.isSaving);
  return (
    <SaveBarContext.Provider value={report}>
      {children}
      <ui-save-bar id={id}>
        <button
          type="button"
          variant="primary"
          loading={isSaving ? "" : undefined}
          onClick={() => {
            for (const form of all) form.save();
          }}
        >
          Save
        </button>
        <button
          type="button"
          disabled={isSaving}
          onClick={() => {
            for (const form of all) form.discard();
          }}
        >
          Discard
        </button>
      </ui-save-bar>
    </SaveBarContext.Provider>
  );
}
