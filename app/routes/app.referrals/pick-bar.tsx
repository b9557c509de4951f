import { Button, Checkbox, IndexTableSelectionType, InlineStack } from "@shopify/polaris";
import { MoreMenu } from "../../components/lists/more-menu.tsx";
import type { Picking } from "./picking.ts";

/** Offers actions for the ticked cards; `count` is how many the page has. */
export function PickBar({ count, picking }: { count: number; picking: Picking }) {
  const { selectedResources, handleSelectionChange, isEvery, hasMore, promoted, others } = picking;
  const picked = selectedResources.length;
  const isPage = picked === count;
  return (
    <div className="pathway-actions">
      <Checkbox
        label={isEvery ? "All selected" : picked > 0 ? `${picked} selected` : "Select all"}
        checked={isPage ? true : picked > 0 ? "indeterminate" : false}
        onChange={() => handleSelectionChange(IndexTableSelectionType.Page, !isPage)}
      />
      {picked > 0 && (
        <InlineStack gap="200" blockAlign="center">
          {isPage && hasMore && !isEvery && (
            <Button
              variant="plain"
              onClick={() => handleSelectionChange(IndexTableSelectionType.All, true)}
            >
              Select every order of this list
            </Button>
          )}
          {promoted.map(({ content, disabled, onAction }) => (
            <Button key={content} disabled={disabled} onClick={onAction}>
              {content}
            </Button>
          ))}
          <MoreMenu label="More actions for the selected orders" actions={others} />
        </InlineStack>
      )}
    </div>
  );
}
