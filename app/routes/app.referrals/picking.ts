import type { useIndexResourceState } from "@shopify/polaris";

/** One thing to do with the orders that are ticked. */
export interface PickAction {
  content: string;
  disabled: boolean;
  onAction(): void;
}

/** The ticked orders of the page, and what can be done with them. */
export interface Picking
  extends Pick<
    ReturnType<typeof useIndexResourceState>,
    "selectedResources" | "handleSelectionChange"
  > {
  /** Every order that the list's selection holds is meant, beyond this page. */
  isEvery: boolean;
  hasMore: boolean;
  promoted: PickAction[];
  others: PickAction[];
}
