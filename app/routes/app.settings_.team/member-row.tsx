import { useFetcher } from "@remix-run/react";
import { Badge, BlockStack, Box, InlineStack, Select, Text } from "@shopify/polaris";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { STAFF_ROLES } from "../../modules/shops/staff-role.ts";
import { ROLE_NAMES } from "../../modules/shops/staff-words.ts";
import type { MemberView } from "./present-team.ts";

const CHOICES = STAFF_ROLES.map((value) => ({ value, label: ROLE_NAMES[value] }));

/** One member of staff, with their role. A choice is saved at once. */
export function MemberRow({ member, mayAssign }: { member: MemberView; mayAssign: boolean }) {
  const { staff, name, role, isAccountOwner, isReader } = member;
  const fetcher = useFetcher<FormAnswer>();
  const answer = useAnswer(fetcher, staff);
  const chosen = fetcher.formData?.get("role");
  return (
    <InlineStack align="space-between" blockAlign="center" gap="300">
      <BlockStack gap="050">
        <InlineStack gap="200" blockAlign="center">
          <Text as="h3" variant="bodyMd" fontWeight="medium">
            {name}
          </Text>
          {isReader && <Badge>You</Badge>}
        </InlineStack>
        {isAccountOwner && (
          <Text as="p" tone="subdued">
            Owner of the account
          </Text>
        )}
      </BlockStack>
      {isAccountOwner || !mayAssign ? (
        <Text as="p">{ROLE_NAMES[role]}</Text>
      ) : (
        <Box minWidth="10rem">
          <Select
            label={`Role of ${name}`}
            labelHidden
            options={CHOICES}
            value={typeof chosen === "string" ? chosen : role}
            disabled={fetcher.state !== "idle"}
            error={answer?.errors?.role}
            onChange={(value) => fetcher.submit({ staff, role: value }, { method: "post" })}
          />
        </Box>
      )}
    </InlineStack>
  );
}
