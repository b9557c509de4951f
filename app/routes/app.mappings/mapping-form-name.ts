/** Names the mapping's form in answers to it. */
export const MAPPING_FORM = "mapping";
