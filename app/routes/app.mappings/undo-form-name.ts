/** Names the forms that undo changes of mappings in answers to them. */
export const UNDO_FORM = "undo-mapping";
