import type { StaffRight, StaffRole } from "./staff-role.ts";

export const ROLE_NAMES: Record<StaffRole, string> = {
  manager: "Manager",
  reviewer: "Reviewer",
  support: "Support",
};

/** What each role may do, in one sentence. */
export const ROLE_HELP: Record<StaffRole, string> = {
  manager: "Everything: results, downloads, settings, credentials and roles.",
  reviewer: "Opens results with a reason, and releases held ones. Changes no settings.",
  support:
    "Looks after orders and mappings. Sees no results, downloads no orders or customers’ data, and changes no settings.",
};

const REFUSED: Record<StaffRight, string> = {
  see_results: "Only reviewers and managers can open results.",
  release_results: "Only reviewers and managers can release results.",
  see_phones: "Only reviewers and managers can see a patient’s phone number.",
  export_data: "Only managers can download orders and customers’ data.",
  erase_data: "Only managers can delete patients’ data.",
  change_policies: "Only managers can change settings.",
  change_credentials: "Only managers can change connections.",
  assign_roles: "Only managers can change roles.",
};

/** Says to a member of staff that their role does not let them, and whom to ask. */
export const refuse = (right: StaffRight): { sentence: string; nextStep: string } => ({
  sentence: REFUSED[right],
  nextStep: "Ask a manager, who can change your role in Settings, Team.",
});

/** Says to a visitor whom Shopify has not told about that nothing is shown until it has. */
export const describeUnknownStaff = () => ({
  title: "Shopify hasn’t told Pathway who you are",
  sentence:
    "Pathway asked Shopify for your name and your store, and got no answer. It shows people’s health information, so it shows nothing until it knows who is reading. Nothing was changed.",
  nextStep:
    "This page asks again every 10 seconds. If it stays for some minutes, open Pathway again from Apps in your Shopify admin, and approve what Shopify asks for. Meanwhile, colleagues who have used Pathway before can still open it. If nobody can, write to Pathway’s support with your store’s address.",
});
