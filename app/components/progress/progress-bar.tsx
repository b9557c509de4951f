interface Props {
  percent: number;
  /** Id of what names it. */
  labelledBy: string;
}

/** How far something is. The browser's own, since Polaris's brings more script than any other part of its pages. */
export const ProgressBar = ({ percent, labelledBy }: Props) => (
  <progress className="pathway-progress" max={100} value={percent} aria-labelledby={labelledBy} />
);
