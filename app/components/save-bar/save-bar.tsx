import {
  createContext,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { appBridge } from "../document/app-bridge.ts";

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
  const barId = useId();
  const shown = useRef(false);
  const isUnsaved = forms.size > 0;
  useEffect(() => {
    if (isUnsaved === shown.current) return;
    shown.current = isUnsaved;
    const bar = appBridge()?.saveBar;
    void (isUnsaved ? bar?.show(barId) : bar?.hide(barId));
  }, [isUnsaved, barId]);
  useEffect(
    () => () => {
      if (shown.current) void appBridge()?.saveBar.hide(barId);
    },
    [barId],
  );
  const all = useMemo(() => [...forms.values()], [forms]);
  const isSaving = all.some((form) => form.isSaving);
  return (
    <SaveBarContext.Provider value={report}>
      {children}
      <ui-save-bar id={barId}>
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
