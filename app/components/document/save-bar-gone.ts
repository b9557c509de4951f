/** Told by a page whose save bar has gone: the bar stood outside this frame, and took the focus along. */
export const SAVE_BAR_GONE = "pathway-save-bar-gone";
