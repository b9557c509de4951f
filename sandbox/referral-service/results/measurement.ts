/** A supplementary range on the wire (interface §2.3). */
export interface RangeView {
  id: string;
  name: string;
  category: string;
  lowRange: number | null;
  highRange: number | null;
}

/** A biomarker entry on the wire (interface §2.3). */
export interface BiomarkerView {
  id: string;
  name: string;
  object: "biomarker";
  commonName: string;
  description: string;
  value: string;
  valueType: "numeric" | "string";
  subValueType: null;
  unit: string;
  formattedValue: string;
  isAbnormal: boolean;
  sampleType: string | null;
  notes: string | null;
  category: { id: string; name: string; description: string; object: "biomarker-category" };
  refIntervalLow: number | null;
  refIntervalHigh: number | null;
  additionalRanges: RangeView[] | null;
}

/** How far a value is from what is expected; critical values are telephoned. */
export type Severity = "normal" | "abnormal" | "critical";

/** A measured biomarker with its severity, which only the summary shows. */
export interface Measurement {
  severity: Severity;
  view: BiomarkerView;
}

/** Integer counts (interface §2.2); the three kinds add up to the total. */
export interface BiomarkerSummary {
  normal: number;
  abnormal: number;
  critical: number;
  total: number;
}

/** Counts measurements by severity. */
export function summarise(measurements: Measurement[]): BiomarkerSummary {
  const count = (severity: Severity) =>
    measurements.filter((measurement) => measurement.severity === severity).length;
  return {
    normal: count("normal"),
    abnormal: count("abnormal"),
    critical: count("critical"),
    total: measurements.length,
  };
}
