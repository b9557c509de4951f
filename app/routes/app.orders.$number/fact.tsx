import type { ReactNode } from "react";

interface Props {
  name: string;
  isWide?: boolean;
  children: ReactNode;
}

/** One named fact in a list of them. */
export function Fact({ name, isWide = false, children }: Props) {
  return (
    <div className={isWide ? "pathway-facts-whole" : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
