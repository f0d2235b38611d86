import { newlyMentioned, type WithMentions } from "../../events/mentions.ts";
import { commentCreated, commentUpdated } from "../../work/comments/events.ts";
import { issueAssigned, issueCreated, issueUnassigned, issueUpdated } from "../../work/issues/events.ts";
import { agentsOf, type Happened, mentioned, rule, type Telling } from "./telling.ts";
import type { AgentEventName } from "./view.ts";

/** What agents are told of issues and their comments. */

type Issue = { description_md: string | null };
type Comment = WithMentions & { body_md: string };

export const issueRules = [
  rule(issueAssigned, (event) => assignment("issue.assigned", event, event.context.added)),
  rule(issueUnassigned, (event) => assignment("issue.unassigned", event, event.context.removed)),
  rule(issueCreated, mentionedInIssue),
  rule(issueUpdated, mentionedInIssue),
  rule(commentCreated, (event: Happened<Comment>) => [...mentionedInComment(event), ...inputs(event)]),
  rule(commentUpdated, mentionedInComment),
];

const assignment = (name: AgentEventName, { actor_id }: Happened, agents: readonly string[] = []): Telling[] => [
  { name, agents, context: { assigned_by: actor_id } },
];

function mentionedInIssue({ context, data, issue_key }: Happened<Issue>): Telling[] {
  const where = { source: "issue", issue_key } as const;
  return (context.mentioned ?? []).map((agent) => mentioned(agent, data.description_md, where));
}

function mentionedInComment(event: Happened<Comment>): Telling[] {
  const { data, issue_key } = event;
  return agentsOf(newlyMentioned(event)).map((agent) =>
    mentioned(agent, data.body_md, { source: "issue_comment", issue_key }),
  );
}

/** What people write while an agent works on the issue. */
const inputs = ({ sessions, issue_key }: Happened): Telling[] =>
  sessions.map(({ agent_id, session_id, answer_to }) => ({
    name: "agent_session.input",
    agents: [agent_id],
    context: { session_id, issue_key, answer_to },
  }));
