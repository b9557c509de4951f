import { useContext, useEffect, useId, useRef } from "react";
import { SaveBarContext, type UnsavedForm } from "./save-bar.tsx";

/** Tells the page's save bar whether this form has unsaved changes, and how to save or discard them. */
export function useUnsaved({ isDirty, ...form }: UnsavedForm & { isDirty: boolean }): void {
  const report = useContext(SaveBarContext);
  const id = useId();
  const latest = useRef(form);
  latest.current = form;
  const { isSaving } = form;
  useEffect(() => {
    report(
      id,
      isDirty
        ? {
            isSaving,
            save: () => latest.current.save(),
            discard: () => latest.current.discard(),
          }
        : null,
    );
  }, [report, id, isDirty, isSaving]);
  useEffect(() => () => report(id, null), [report, id]);
}
