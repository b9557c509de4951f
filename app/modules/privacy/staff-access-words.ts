import type { DataExportReason, StaffAccessReason } from "./staff-access.ts";

export const STAFF_ACCESS_REASON_NAMES: Record<StaffAccessReason, string> = {
  review: "They are held, and I review them",
  patient_asked: "The patient asked for help with their results",
  result_disputed: "The patient or their doctor doubts a result",
  practitioner_asked: "A treating practitioner asked for them",
  complaint: "A complaint is being looked into",
  legal_request: "Legal requirement",
};

export const DATA_EXPORT_REASON_NAMES: Record<DataExportReason, string> = {
  patient_asked: "The customer asked for their data",
  legal_request: "Legal requirement",
};
