/** Names the form for many variants in answers to it. */
export const BULK_FORM = "bulk";
