import type { Placement } from "../../shared/result/placement.ts";

const columns = (...parts: number[]) => parts.map((part) => `${part.toFixed(1)}fr`).join(" ");

/**
 * The reference interval as a band with the value's mark under it. Only a picture: the same is said in words beside it,
 * so it is hidden from assistive technology.
 */
export function RangeBar({ placement }: { placement: Omit<Placement, "zone"> }) {
  const { lowPercent, highPercent, valuePercent } = placement;
  return (
    <s-box accessibilityVisibility="hidden" inlineSize="100%" maxInlineSize="360px">
      <s-grid
        gridTemplateColumns={columns(lowPercent, highPercent - lowPercent, 100 - highPercent)}
      >
        <s-box border="base" blockSize="12px" />
        <s-box border="base" background="subdued" blockSize="12px" />
        <s-box border="base" blockSize="12px" />
      </s-grid>
      <s-grid
        gridTemplateColumns={`${columns(valuePercent)} auto ${columns(100 - valuePercent)}`}
        justifyItems="center"
      >
        <s-box />
        <s-text>▲</s-text>
        <s-box />
      </s-grid>
    </s-box>
  );
}
