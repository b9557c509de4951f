import { describeSettingChange } from "../../modules/reports/change-words.ts";
import type { TeamOverview } from "../../modules/reports/read-team.ts";
import { hasRight, roleOf } from "../../modules/shops/staff-role.ts";

export type TeamView = ReturnType<typeof presentTeam>;
export type MemberView = TeamView["members"][number];
export type ChangeView = TeamView["changes"][number];

/** The staff who have opened the app, and what changed lately, in words. `actor`: who looks. */
export function presentTeam({ members, own, changes }: TeamOverview, actor: string) {
  return {
    mayAssign: hasRight(roleOf(own), "assign_roles"),
    members: members.map((member) => ({
      staff: member.staff,
      name: member.name,
      isAccountOwner: member.isAccountOwner,
      isReader: member.staff === actor,
      role: roleOf(member),
    })),
    changes: changes.flatMap((entry, index) => {
      const sentence = describeSettingChange(entry);
      return sentence ? [{ id: index, sentence, at: entry.at.toISOString() }] : [];
    }),
  };
}
