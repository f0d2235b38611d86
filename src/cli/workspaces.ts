import { z } from "zod";
import { createUser } from "../domain/access/identity/users.ts";
import { emailInput } from "../domain/kernel/email.ts";
import { PLANS } from "../domain/kernel/plans.ts";
import { ROLES } from "../domain/kernel/roles.ts";
import { slug } from "../domain/kernel/slug.ts";
import { line } from "../domain/kernel/wire.ts";
import { createWorkspace } from "../domain/tenancy/workspaces/create.ts";
import { addMember } from "../domain/tenancy/workspaces/members.ts";
import { setPlan } from "../domain/tenancy/workspaces/plan.ts";
import { command, Failure } from "./command.ts";
import { workspaceId } from "./find.ts";

const email = emailInput;
const plan = z.enum(PLANS);

const GUEST_WITHOUT_PROJECTS = " A guest sees only the projects that they are a member of: add them to one.";

export const workspaceCommands = [
  command("workspace create", {
    summary: "Create a workspace and its owner",
    options: {
      slug: slug.describe("slug for paths; it cannot be changed"),
      name: line(1, 100).describe("display name"),
      owner: email.describe("the owner's e-mail address"),
      owner_name: line(1, 100).optional().describe("the owner's name, if they are new"),
      plan: plan.optional().describe("its plan (default: DEFAULT_PLAN)"),
    },
    async run(operator, { slug, name, owner, owner_name, plan = operator.resources.config.DEFAULT_PLAN }) {
      const made = await operator.write((ctx) =>
        createWorkspace(ctx, { slug, name, plan, owner: { email: owner, name: owner_name } }),
      );
      return {
        json: made,
        text: `Created the workspace ${slug} on the plan ${plan}, owned by ${made.owner.email}.
To create a key for it: npm run -s cli -- key create --workspace ${slug} --user ${made.owner.email} --scopes admin`,
      };
    },
  }),

  command("workspace set-plan", {
    summary: "Change a workspace's plan",
    positionals: ["workspace", "plan"],
    options: { workspace: z.string().describe("its slug"), plan: plan.describe("the new plan") },
    async run(operator, input) {
      const workspace = await operator.write(async (ctx) =>
        setPlan(ctx, await workspaceId(ctx, input.workspace), input.plan),
      );
      return { json: { workspace }, text: `The workspace ${workspace.slug} is on the plan ${workspace.plan}.` };
    },
  }),

  command("user create", {
    summary: "Create a person, or find the one with this address",
    options: { email: email.describe("their e-mail address"), name: line(1, 100).optional().describe("their name") },
    async run(operator, input) {
      const user = await operator.write((ctx) => createUser(ctx, input));
      return { json: { user }, text: `${user.email} is ${user.name ?? "without a name"} (${user.id}).` };
    },
  }),

  command("member add", {
    summary: "Add a person to a workspace",
    options: {
      workspace: z.string().describe("its slug"),
      email: email.describe("their e-mail address"),
      role: z.enum(ROLES).optional().describe("role in the workspace (default: member)"),
    },
    async run(operator, { workspace, email, role }) {
      const member = await operator.write(async (ctx) =>
        addMember(ctx, await workspaceId(ctx, workspace), email, role ?? "member"),
      );
      // The API shows guests as viewers.
      const has = member.is_guest ? "guest" : member.role;
      if (role && has !== role)
        throw new Failure(`${member.email} is ${has} of ${workspace} already. This command does not change roles.`);
      const sees = has === "guest" && member.project_ids.length === 0 ? GUEST_WITHOUT_PROJECTS : "";
      return { json: { member }, text: `${member.email} is ${has} of ${workspace}.${sees}` };
    },
  }),
];
