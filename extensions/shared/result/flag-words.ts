/**
 * The words about a value. The laboratory's flag decides whether there are any; the numbers only say on which side. Without a
 * flag, nothing is called unremarkable that contradicts its own range, says that something is there, or is no answer at all:
 * the report says how it is to be taken.
 */
export const FLAG_WORDS = ["high", "low", "abnormal", "within", "unflagged", "see_report"] as const;
export type FlagWord = (typeof FLAG_WORDS)[number];
