import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Box, Card, Page, Text } from "@shopify/polaris";
import { z } from "zod";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { readTeam } from "../../modules/reports/read-team.ts";
import { setStaffRole } from "../../modules/shops/set-staff-role.ts";
import { STAFF_ROLES } from "../../modules/shops/staff-role.ts";
import { ROLE_HELP, ROLE_NAMES, refuse } from "../../modules/shops/staff-words.ts";
import { ChangesCard } from "./changes-card.tsx";
import { MemberRow } from "./member-row.tsx";
import { presentTeam } from "./present-team.ts";

export const meta: MetaFunction = () => [{ title: "Team · Pathway" }];

const roleForm = z.object({
  staff: z.string().regex(/^staff:\d{1,20}$/),
  role: z.enum(STAFF_ROLES),
});

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  return presentTeam(await readTeam(context.app.ports, { shop, actor }), actor);
}

/** Gives a role. 422 with a sentence when it cannot be given, 403 when somebody's own role does not let them. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const form = roleForm.safeParse(Object.fromEntries(await readForm(request)));
  if (!form.success) throw data(null, { status: 400 });
  const outcome = await setStaffRole(context.app.ports, { shop, actor, ...form.data });
  const answer = (role: string | undefined, status: number) =>
    data<FormAnswer>({ form: form.data.staff, ...(role && { errors: { role } }) }, { status });
  switch (outcome.kind) {
    case "saved": {
      const toast = `${outcome.name} is ${ROLE_NAMES[form.data.role].toLowerCase()} now`;
      return data<FormAnswer>({ form: form.data.staff, toast });
    }
    case "is_owner":
      return answer("The owner of the account is always a manager.", 422);
    case "not_found":
      return answer("This person hasn’t opened Pathway yet.", 422);
    case "not_allowed":
      return answer(Object.values(refuse(outcome.right)).join(" "), 403);
  }
}

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function TeamPage() {
  const { members, changes, mayAssign } = useLoaderData<typeof loader>();
  return (
    <Page
      backAction={{ content: "Settings", url: "/app/settings" }}
      title="Team"
      subtitle="Choose what each member of your staff may do in Pathway."
      narrowWidth
    >
      <BlockStack gap="400">
        <Card>
          <BlockStack gap="300">
            <Text as="h2" variant="headingMd">
              Roles
            </Text>
            <dl className="pathway-facts pathway-facts-stacked">
              {STAFF_ROLES.map((role) => (
                <div key={role}>
                  <dt>{ROLE_NAMES[role]}</dt>
                  <dd>{ROLE_HELP[role]}</dd>
                </div>
              ))}
            </dl>
          </BlockStack>
        </Card>
        <Card>
          <BlockStack gap="400">
            <Text as="h2" variant="headingMd">
              Your staff
            </Text>
            <Text as="p" tone="subdued">
              {mayAssign
                ? "People appear here once they have opened Pathway. Until you choose a role, they are support."
                : "Only managers can change roles. People appear here once they have opened Pathway."}
            </Text>
            {members.map((member) => (
              <MemberRow key={member.staff} member={member} mayAssign={mayAssign} />
            ))}
          </BlockStack>
        </Card>
        <ChangesCard changes={changes} />
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
