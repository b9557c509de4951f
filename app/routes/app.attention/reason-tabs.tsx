import { FilterTabs } from "../../components/lists/filter-tabs.tsx";
import { attentionAddress } from "./attention-address.ts";

interface Props {
  reasons: { code: string; name: string; count: string }[];
  current: string | null;
}

/** Narrows the inbox to one kind of reason. One kind alone needs no choice, unless it was chosen. */
export function ReasonTabs({ reasons, current }: Props) {
  if (reasons.length < 2 && !current) return null;
  return (
    <FilterTabs
      label="Reasons"
      tabs={[
        { label: "All", url: attentionAddress(null), isCurrent: current === null },
        ...reasons.map(({ code, name, count }) => ({
          label: name,
          url: attentionAddress(code),
          isCurrent: code === current,
          count,
        })),
      ]}
    />
  );
}
